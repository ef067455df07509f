package dev.millrace.cli.command.admin;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.api.ServerApi;
import dev.millrace.cli.command.shared.Limit;
import dev.millrace.cli.command.shared.Missing;
import dev.millrace.cli.command.shared.Pages;
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

@Command(
    name = "deliveries",
    description = "List what was sent to an endpoint; with a message, show what came back.")
final class WebhookDeliveriesCommand implements CommandAction {

  @Parameters(index = "0", paramLabel = "ID", description = "The endpoint's id, from the list.")
  private String id = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "MESSAGE",
      description = "One message, such as msg_0195..._4.")
  private @Nullable String message;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only pending, delivered, failed or held ones.")
  private @Nullable String state;

  @Mixin private Limit limit = new Limit();

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return message == null ? list(session) : show(session, message);
  }

  private ExitCode list(Session session) throws IOException, InterruptedException {
    JsonNode page =
        Missing.told(
            "webhook",
            id,
            WebhooksCommand.LIST,
            () ->
                new Pages(WebhooksCommand.path(id) + "/deliveries")
                    .with("state", state)
                    .collect(session.api(), limit.number()));
    Table table =
        new Table(
            Column.id("MESSAGE"),
            Column.id("TYPE"),
            Column.id("STATE"),
            Column.number("ATTEMPTS"),
            Column.text("LAST ANSWER"),
            Column.id("CREATED"));
    for (JsonNode delivery : page.path("items")) {
      table.row(
          ApiJson.text(delivery, "id"),
          ApiJson.text(delivery, "type"),
          ApiJson.text(delivery, "state"),
          ApiJson.text(delivery, "attempts"),
          ApiJson.text(delivery, "status") + ApiJson.text(delivery, "error"),
          session.ago(delivery, "created_at"));
    }
    session.printList(page, table, "Nothing was sent yet.");
    return ExitCode.OK;
  }

  private ExitCode show(Session session, String one) throws IOException, InterruptedException {
    JsonNode delivery =
        Missing.told(
            "delivery",
            one,
            "millrace webhooks deliveries " + id,
            () ->
                session
                    .api()
                    .get(WebhooksCommand.path(id) + "/deliveries/" + ServerApi.segment(one)));
    if (session.format() != Format.TABLE) {
      session.print(delivery);
      return ExitCode.OK;
    }
    Table table =
        new Table(
            Column.number("ATTEMPT"),
            Column.id("SENT"),
            Column.number("MS"),
            Column.text("ANSWER"),
            Column.text("EXCERPT"));
    for (JsonNode attempt : delivery.path("log")) {
      table.row(
          ApiJson.text(attempt, "number"),
          session.ago(attempt, "sent_at"),
          ApiJson.text(attempt, "millis"),
          ApiJson.text(attempt, "status") + ApiJson.text(attempt, "error"),
          ApiJson.text(attempt, "excerpt").replace('\n', ' '));
    }
    session.say(ApiJson.text(delivery, "type") + ", " + ApiJson.text(delivery, "state"));
    session.print(ApiJson.line(delivery.path("payload")));
    session.print(table);
    return ExitCode.OK;
  }
}
