package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import java.util.ArrayList;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "origins",
    description = "List and change from where pages in browsers may ask (admins).",
    subcommands = {
      OriginsCommand.List.class,
      OriginsCommand.Add.class,
      OriginsCommand.Remove.class
    })
public final class OriginsCommand implements CommandAction {

  private static final String PATH = "/api/admin/origins";

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return shown(session, session.api().get(PATH));
  }

  private static ExitCode shown(Session session, JsonNode answer) {
    Table table = new Table(Column.text("ORIGIN"));
    answer.path("origins").forEach(origin -> table.row(origin.asString("")));
    session.printList(answer, table, "No pages may ask.");
    return ExitCode.OK;
  }

  private static java.util.List<String> allowed(Session session)
      throws IOException, InterruptedException {
    java.util.List<String> origins = new ArrayList<>();
    session.api().get(PATH).path("origins").forEach(origin -> origins.add(origin.asString("")));
    return origins;
  }

  private static ExitCode set(Session session, java.util.List<String> origins)
      throws IOException, InterruptedException {
    ObjectNode body = ApiJson.object();
    origins.forEach(body.putArray("origins")::add);
    return shown(session, session.api().put(PATH, body));
  }

  @Command(name = "list", description = "List the allowed origins.")
  static final class List implements CommandAction {

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return shown(session, session.api().get(PATH));
    }
  }

  @Command(name = "add", description = "Let pages of these origins ask.")
  static final class Add implements CommandAction {

    @Parameters(
        paramLabel = "ORIGIN",
        arity = "1..*",
        description = "Such as https://app.example.com or https://*.example.com.")
    private java.util.List<String> origins = new ArrayList<>();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      java.util.List<String> all = allowed(session);
      all.addAll(origins);
      return set(session, all);
    }
  }

  @Command(name = "remove", description = "Let pages of these origins ask no more.")
  static final class Remove implements CommandAction {

    @Parameters(paramLabel = "ORIGIN", arity = "1..*", description = "As the list shows it.")
    private java.util.List<String> origins = new ArrayList<>();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      java.util.List<String> all = allowed(session);
      for (String origin : origins) {
        if (!all.remove(origin)) {
          session.say("The origin " + origin + " was not allowed.");
          return ExitCode.NOT_FOUND;
        }
      }
      return set(session, all);
    }
  }
}
