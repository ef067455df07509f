package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.command.shared.Details;
import dev.millrace.cli.shell.Format;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import tools.jackson.databind.JsonNode;

/** A task for many jobs, in words. */
final class TaskText {

  private TaskText() {}

  /** What a task would do, such as {@code would cancel 2 jobs and give back 10 credits}. */
  static String quote(JsonNode quote) {
    String action = ApiJson.text(quote, "action");
    String credits = Say.count(ApiJson.number(quote, "credits"), "credit");
    String end =
        switch (action) {
          case "retry" -> " and reserve " + credits;
          case "cancel" -> " and give back " + credits;
          case "recheck" -> " and give back " + credits + " at most";
          case "delete" -> " with all files, for good";
          default -> "";
        };
    return "would " + action + " " + Say.count(ApiJson.number(quote, "jobs"), "job") + end;
  }

  static boolean isOver(JsonNode task) {
    return !ApiJson.text(task, "finished_at").isEmpty();
  }

  /**
   * A task as an event, so that the bar which shows a job can show it.
   *
   * @param jobs how many it is about; 0 if nobody knows
   */
  static JsonNode progress(JsonNode task, long jobs) {
    long percent = jobs == 0 ? 0 : Math.min(99, 100 * ApiJson.number(task, "seen") / jobs);
    return ApiJson.object()
        .put("state", ApiJson.text(task, "state"))
        .put("progress", isOver(task) ? 100 : percent)
        .put("message", figures(task));
  }

  /** The bare id is what a script wants to keep. */
  static void printStarted(Session session, JsonNode task) {
    if (session.format() == Format.TABLE) {
      session.print(ApiJson.text(task, "id"));
    } else {
      session.print(task);
    }
  }

  static void print(Session session, JsonNode task) {
    new Details()
        .line("task", ApiJson.text(task, "id"))
        .line("action", ApiJson.text(task, "action"))
        .line("filter", ApiJson.line(task.path("filter")))
        .line("state", ApiJson.text(task, "state"))
        .line("jobs", figures(task))
        .line("credits", Say.number(ApiJson.number(task, "credits")))
        .line("by", ApiJson.text(task, "actor"))
        .line("created", session.ago(task, "created_at"))
        .line("finished", session.ago(task, "finished_at"))
        .print(session, task);
  }

  private static String figures(JsonNode task) {
    return "%,d seen, %,d done, %,d skipped, %,d failed"
        .formatted(
            ApiJson.number(task, "seen"),
            ApiJson.number(task, "done"),
            ApiJson.number(task, "skipped"),
            ApiJson.number(task, "failed"));
  }
}
