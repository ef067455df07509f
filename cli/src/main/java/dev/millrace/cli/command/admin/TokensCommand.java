package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "tokens",
    description = "List, create and revoke short-lived tokens for the browsers of users.",
    subcommands = {
      TokensCommand.List.class,
      TokensCommand.Create.class,
      TokensCommand.Revoke.class
    })
public final class TokensCommand implements CommandAction {

  private static final String PATH = "/api/user-tokens";

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return list(session);
  }

  private static ExitCode list(Session session) throws IOException, InterruptedException {
    JsonNode page = session.api().get(PATH + "?limit=500");
    Table table =
        new Table(
            Column.id("ID"),
            Column.id("PREFIX"),
            Column.text("USER"),
            Column.id("JOBS"),
            Column.id("CREATED"),
            Column.id("ENDS"));
    for (JsonNode token : page.path("items")) {
      table.row(
          ApiJson.text(token, "id"),
          ApiJson.text(token, "prefix"),
          ApiJson.text(token, "user"),
          jobs(token),
          session.ago(token, "created_at"),
          ApiJson.text(token, "ends_at"));
    }
    session.printList(page, table, "No tokens work now.");
    return ExitCode.OK;
  }

  private static String jobs(JsonNode token) {
    String used = token.path("jobs_used").asString("0");
    return token.path("jobs").isNull() ? used : used + " of " + token.path("jobs").asString("");
  }

  @Command(name = "list", description = "List the tokens that work, without their text.")
  static final class List implements CommandAction {

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list(session);
    }
  }

  @Command(name = "create", description = "Create a token for a user and print it, this once.")
  static final class Create implements CommandAction {

    @Option(
        names = "--user",
        paramLabel = "USER",
        description = "For whom; may be left out with a key of one user.")
    private @Nullable String user;

    @Option(
        names = "--effects",
        paramLabel = "EFFECT",
        split = ",",
        description = "The effects that it may ask for; otherwise as your key.")
    private java.util.List<String> effects = new ArrayList<>();

    @Option(
        names = "--jobs",
        paramLabel = "N",
        description = "How many jobs may be submitted with it; otherwise any number.")
    private @Nullable Integer jobs;

    @Option(
        names = "--minutes",
        paramLabel = "M",
        description = "How long it works: 15 if left out, at most 1440.")
    private @Nullable Integer minutes;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object();
      if (user != null) {
        body.put("user", user);
      }
      if (!effects.isEmpty()) {
        effects.forEach(body.putArray("effects")::add);
      }
      if (jobs != null) {
        body.put("jobs", jobs);
      }
      if (minutes != null) {
        body.put("minutes", minutes);
      }
      JsonNode token = session.api().post(PATH, body);
      if (session.format() == Format.TABLE) {
        session.say(
            "Token %s for %s, until %s. It is shown only this once:"
                .formatted(
                    ApiJson.text(token, "id"),
                    ApiJson.text(token, "user"),
                    ApiJson.text(token, "ends_at")));
        session.print(ApiJson.text(token, "token"));
      } else {
        session.print(token);
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "revoke", description = "Make a token useless within seconds.")
  static final class Revoke implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The token's id, from the list.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return Missing.told(
          "token",
          id,
          "millrace tokens",
          () -> {
            session.api().delete(PATH + "/" + ServerApi.segment(id));
            session.say("Token " + id + " has ended.");
            return ExitCode.OK;
          });
    }
  }
}
