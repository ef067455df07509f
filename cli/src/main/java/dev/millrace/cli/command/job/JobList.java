package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.ListOptions;
import dev.millrace.cli.command.shared.Pages;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Table;
import dev.millrace.cli.text.Table.Column;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The list of jobs and what narrows it; {@code jobs} alone means the same as {@code jobs list}. */
final class JobList {

  @Option(
      names = "--state",
      paramLabel = "STATES",
      description = "Only in these states, separated by commas.")
  private @Nullable String state;

  @Option(names = "--effect", paramLabel = "EFFECT", description = "Only of this effect.")
  private @Nullable String effect;

  @Option(names = "--batch", paramLabel = "ID", description = "Only of this batch.")
  private @Nullable String batch;

  @Mixin private ListOptions options = new ListOptions();

  ExitCode print(Session session) throws IOException, InterruptedException {
    JsonNode page =
        new Pages("/api/jobs")
            .with("state", state)
            .with("effect", effect)
            .with("batch", batch)
            .with("user", options.user)
            .collect(session.api(), options.limit());
    Table table =
        new Table(
            Column.id("ID"),
            Column.id("EFFECT"),
            Column.state("STATE"),
            Column.number("DONE"),
            Column.number("CREDITS"),
            Column.text("USER"),
            Column.id("CREATED"),
            Column.text("MESSAGE"));
    for (JsonNode job : page.path("items")) {
      table.row(
          ApiJson.text(job, "id"),
          ApiJson.text(job, "effect"),
          ApiJson.text(job, "state"),
          ApiJson.number(job, "progress") + "%",
          credits(job.path("credits")),
          ApiJson.text(job, "user"),
          session.ago(job, "created_at"),
          message(job));
    }
    session.printList(page, table, "No jobs. To make one: millrace run EFFECT (millrace effects)");
    return ExitCode.OK;
  }

  /** What the job costs its user as things stand: held less refunded. */
  private static String credits(JsonNode credits) {
    return Long.toString(ApiJson.number(credits, "held") - ApiJson.number(credits, "refunded"));
  }

  private static String message(JsonNode job) {
    String error = ApiJson.text(job.path("error"), "message");
    return error.isEmpty() ? ApiJson.text(job, "message") : error;
  }
}
