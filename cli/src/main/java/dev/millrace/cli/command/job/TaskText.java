package dev.millrace.cli.command.job;

import dev.millrace.cli.api.Json;
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
    String action = Json.text(quote, "action");
    String credits = Say.count(Json.number(quote, "credits"), "credit");
    String end =
        switch (action) {
          case "retry" -> " and reserve " + credits;
          case "cancel" -> " and give back " + credits;
          case "recheck" -> " and give back " + credits + " at most";
          case "delete" -> " with all files, for good";
          default -> "";
        };
    return "would " + action + " " + Say.count(Json.number(quote, "jobs"), "job") + end;
  }

  static boolean isOver(JsonNode task) {
    return !Json.text(task, "finished_at").isEmpty();
  }

  /**
   * A task as an event, so that the bar which shows a job can show it.
   *
   * @param jobs how many it is about; 0 if nobody knows
   */
  static JsonNode progress(JsonNode task, long jobs) {
    long percent = jobs == 0 ? 0 : Math.min(99, 100 * Json.number(task, "seen") / jobs);
    return Json.object()
        .put("state", Json.text(task, "state"))
        .put("progress", isOver(task) ? 100 : percent)
        .put("message", figures(task));
  }

  /** The bare id is what a script wants to keep. */
  static void printStarted(Session session, JsonNode task) {
    if (session.format() == Format.TABLE) {
      session.print(Json.text(task, "id"));
    } else {
      session.print(task);
    }
  }

  static void print(Session session, JsonNode task) {
    new Details()
        .line("task", Json.text(task, "id"))
        .line("action", Json.text(task, "action"))
        .line("filter", Json.line(task.path("filter")))
        .line("state", Json.text(task, "state"))
        .line("jobs", figures(task))
        .line("credits", Say.number(Json.number(task, "credits")))
        .line("by", Json.text(task, "actor"))
        .line("created", session.ago(task, "created_at"))
        .line("finished", session.ago(task, "finished_at"))
        .print(session, task);
  }

  private static String figures(JsonNode task) {
    return "%,d seen, %,d done, %,d skipped, %,d failed"
        .formatted(
            Json.number(task, "seen"),
            Json.number(task, "done"),
            Json.number(task, "skipped"),
            Json.number(task, "failed"));
  }
}
