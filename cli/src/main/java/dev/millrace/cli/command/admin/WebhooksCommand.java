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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "webhooks",
    description = "Tell products what happens to their jobs (admins).",
    subcommands = {
      WebhooksCommand.List.class,
      WebhooksCommand.Add.class,
      WebhooksCommand.Remove.class,
      WebhooksCommand.Rotate.class,
      WebhooksCommand.Enable.class,
      WebhooksCommand.Disable.class,
      WebhookTestCommand.class,
      WebhookDeliveriesCommand.class,
      WebhookRedeliverCommand.class
    })
public final class WebhooksCommand implements CommandAction {

  static final String PATH = "/api/admin/webhooks";
  static final String LIST = "millrace webhooks";

  @Override
  public ExitCode run(Session session) throws IOException, InterruptedException {
    return list(session);
  }

  static String path(String id) {
    return PATH + "/" + ServerApi.segment(id);
  }

  /** Does something to one endpoint, and explains if there is none. */
  static JsonNode post(Session session, String id, String verb, ObjectNode body)
      throws IOException, InterruptedException {
    return Missing.told("webhook", id, LIST, () -> session.api().post(path(id) + "/" + verb, body));
  }

  private static ExitCode list(Session session) throws IOException, InterruptedException {
    JsonNode page = session.api().get(PATH);
    Table table =
        new Table(
            Column.id("ID"),
            Column.id("STATE"),
            Column.text("URL"),
            Column.text("EVENTS"),
            Column.id("CREATED"));
    for (JsonNode webhook : page.path("items")) {
      table.row(
          ApiJson.text(webhook, "id"),
          state(webhook),
          ApiJson.text(webhook, "url"),
          webhook.path("events").values().stream()
              .map(event -> event.asString(""))
              .collect(Collectors.joining(", ")),
          session.ago(webhook, "created_at"));
    }
    session.printList(page, table, "No webhooks. To add one: millrace webhooks add URL");
    return ExitCode.OK;
  }

  private static String state(JsonNode webhook) {
    if (!ApiJson.truth(webhook, "enabled")) {
      return "disabled: " + ApiJson.text(webhook, "disabled_for");
    }
    return ApiJson.text(webhook, "failing_since").isEmpty() ? "enabled" : "failing";
  }

  private static void printSecret(Session session, JsonNode webhook, String words) {
    if (session.format() == Format.TABLE) {
      session.say(words + " The secret is shown only this once:");
      session.print(ApiJson.text(webhook, "secret"));
    } else {
      session.print(webhook);
    }
  }

  @Command(name = "list", description = "List all endpoints.")
  static final class List implements CommandAction {

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      return list(session);
    }
  }

  @Command(name = "add", description = "Add an endpoint and print its secret, this once.")
  static final class Add implements CommandAction {

    @Parameters(paramLabel = "URL", description = "Where webhooks are sent.")
    private String url = "";

    @Option(
        names = "--events",
        split = ",",
        paramLabel = "TYPE",
        description =
            "Such as job.completed,job.failed, or * for all; the ends of jobs if left out.")
    private java.util.@Nullable List<String> events;

    @Option(names = "--description", paramLabel = "TEXT", description = "What it is for.")
    private @Nullable String description;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object().put("url", url);
      if (description != null) {
        body.put("description", description);
      }
      if (events != null) {
        ArrayNode asked = body.putArray("events");
        events.forEach(asked::add);
      }
      JsonNode webhook = session.api().post(PATH, body);
      printSecret(session, webhook, "Webhook " + ApiJson.text(webhook, "id") + ".");
      return ExitCode.OK;
    }
  }

  @Command(name = "remove", description = "Remove an endpoint and all its deliveries.")
  static final class Remove implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The endpoint's id, from the list.")
    private String id = "";

    @Mixin private Consent consent = new Consent();

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      String question =
          "Remove the webhook " + id + " with all its deliveries? There is no way back.";
      if (!consent.given(session, question)) {
        return ExitCode.CANCELED;
      }
      JsonNode _ = Missing.told("webhook", id, LIST, () -> session.api().delete(path(id)));
      session.say("Webhook " + id + " is removed.");
      return ExitCode.OK;
    }
  }

  @Command(name = "rotate", description = "Make a new secret; the old one signs too for a while.")
  static final class Rotate implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The endpoint's id, from the list.")
    private String id = "";

    @Option(
        names = "--overlap",
        paramLabel = "SECONDS",
        description = "How long the old one signs too (default 86400).")
    private @Nullable Long overlap;

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      ObjectNode body = ApiJson.object();
      if (overlap != null) {
        body.put("overlap_seconds", overlap);
      }
      printSecret(
          session, post(session, id, "rotate", body), "Webhook " + id + " has a new secret.");
      return ExitCode.OK;
    }
  }

  @Command(name = "enable", description = "Send to an endpoint again, also what was held back.")
  static final class Enable implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The endpoint's id, from the list.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      JsonNode _ = post(session, id, "enable", ApiJson.object());
      session.say("Webhook " + id + " is enabled.");
      return ExitCode.OK;
    }
  }

  @Command(name = "disable", description = "Send nothing to an endpoint, until it is enabled.")
  static final class Disable implements CommandAction {

    @Parameters(paramLabel = "ID", description = "The endpoint's id, from the list.")
    private String id = "";

    @Override
    public ExitCode run(Session session) throws IOException, InterruptedException {
      JsonNode _ = post(session, id, "disable", ApiJson.object());
      session.say("Webhook " + id + " is disabled.");
      return ExitCode.OK;
    }
  }
}
