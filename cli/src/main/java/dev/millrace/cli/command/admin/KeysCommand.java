package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Consent;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "keys",
    description = "List, create and revoke API keys (admins).",
    subcommands = {KeysCommand.List.class, KeysCommand.Create.class, KeysCommand.Revoke.class})
public final class KeysCommand implements CommandAction {

  private static final String PATH = "/api/admin/keys";

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return list(session);
  }

  private static ExitCode list(Session session) throws IOException, InterruptedException {
    JsonNode page = session.api().get(PATH);
    Table table =
        new Table(
            Column.id("ID"),
            Column.text("NAME"),
            Column.id("PREFIX"),
            Column.id("ROLE"),
            Column.text("USER"),
            Column.id("CREATED"),
            Column.id("LAST USED"),
            Column.id("REVOKED"));
    for (JsonNode key : page.path("items")) {
      table.row(
          ApiJson.text(key, "id"),
          ApiJson.text(key, "name"),
          ApiJson.text(key, "prefix"),
          ApiJson.text(key, "role"),
          ApiJson.text(key, "user"),
          session.ago(key, "created_at"),
          session.ago(key, "last_used_at"),
          session.ago(key, "revoked_at"));
    }
    session.printList(page, table, "There are no keys.");
    return ExitCode.OK;
  }

  @Command(name = "list", description = "List all keys, without their secrets.")
  static final class List implements CommandAction {

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list(session);
    }
  }

  @Command(name = "create", description = "Create a key and print its secret, this once.")
  static final class Create implements CommandAction {

    @Parameters(paramLabel = "NAME", description = "What the key is for.")
    private String name = "";

    @Option(
        names = "--role",
        paramLabel = "ROLE",
        description = "user (default), reviewer, admin or operator.")
    private String role = "user";

    @Option(
        names = "--user",
        paramLabel = "USER",
        description = "Bind the key to this user; otherwise it may act for all.")
    private @Nullable String user;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object().put("name", name).put("role", role);
      if (user != null) {
        body.put("user", user);
      }
      JsonNode key = session.api().post(PATH, body);
      if (session.format() == Format.TABLE) {
        session.say(
            "Key "
                + ApiJson.text(key, "id")
                + " ("
                + name
                + "). The secret is shown only this once:");
        session.print(ApiJson.text(key, "secret"));
      } else {
        session.print(key);
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "revoke", description = "Make a key useless within seconds.")
  static final class Revoke implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The key's id, from the list.")
    private String id = "";

    @Mixin private Consent consent = new Consent();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      if (!consent.given(session, () -> question(session))) {
        return ExitCode.CANCELED;
      }
      return Missing.told("key", id, "millrace keys", () -> revoke(session));
    }

    private String question(Session session) throws IOException, InterruptedException {
      for (JsonNode key : session.api().get(PATH).path("items")) {
        if (ApiJson.text(key, "id").equals(id)) {
          String prefix = ApiJson.text(key, "prefix");
          boolean own = session.usesKey(prefix);
          return "Revoke the key %s (%s)?%s Whoever uses it is shut out, and there is no way back."
              .formatted(
                  ApiJson.text(key, "name"), prefix, own ? " It is the key you are using." : "");
        }
      }
      return "Revoke the key " + id + "? There is no way back.";
    }

    private ExitCode revoke(Session session) throws IOException, InterruptedException {
      session.api().delete(PATH + "/" + ServerApi.segment(id));
      session.say("Key " + id + " is revoked.");
      return ExitCode.OK;
    }
  }
}
