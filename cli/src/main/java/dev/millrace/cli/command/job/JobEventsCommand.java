package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJob;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.shell.CommandAction;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "events", description = "List a job's whole history.")
final class JobEventsCommand implements CommandAction {

  private static final int PAGE = 500;

  @Parameters(paramLabel = "ID", description = "The job's id.")
  private String id = "";

  @Option(names = "--after", paramLabel = "N", description = "Only what came after event N.")
  private long after;

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    ObjectNode history = Missing.told("job", id, JobsCommand.LIST, () -> collect(session));
    Table table =
        new Table(
            Column.number("EVENT"),
            Column.id("WHEN"),
            Column.state("STATE"),
            Column.number("DONE"),
            Column.number("ATTEMPT"),
            Column.text("STEP"),
            Column.text("MESSAGE"));
    for (JsonNode event : history.path("items")) {
      table.row(
          ApiJson.text(event, "id"),
          session.ago(event, "at"),
          ApiJson.text(event, "state"),
          ApiJson.number(event, "progress") + "%",
          ApiJson.text(event, "attempt"),
          ApiJson.text(event, "step"),
          ApiJson.text(event, "message"));
    }
    session.printList(history, table, "Nothing has happened yet.");
    return ExitCode.OK;
  }

  private ObjectNode collect(Session session) throws IOException, InterruptedException {
    ArrayNode items = ApiJson.array();
    long seen = after;
    JsonNode page;
    do {
      page =
          session
              .api()
              .get(ApiJob.path(id) + "/events?after_id=" + seen + "&limit=" + PAGE)
              .path("items");
      for (JsonNode event : page) {
        items.add(event);
        seen = Math.max(seen, ApiJson.number(event, "id"));
      }
    } while (page.size() == PAGE);
    ObjectNode history = ApiJson.object();
    history.set("items", items);
    return history.put("last_event_id", seen);
  }
}
