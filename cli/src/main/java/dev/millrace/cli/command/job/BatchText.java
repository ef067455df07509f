package dev.millrace.cli.command.job;

import dev.millrace.cli.api.Batch;
import dev.millrace.cli.api.Json;
import dev.millrace.cli.command.shared.Details;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.cli.shell.Session;
import dev.millrace.cli.text.Say;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** How a batch stands, in words. */
final class BatchText {

  private BatchText() {}

  /** Such as {@code 2 running, 1,204 completed}. */
  static String counts(Batch batch) {
    return batch.states().stream()
        .map(state -> Say.number(batch.count(state)) + " " + state.replace('_', ' '))
        .collect(Collectors.joining(", "));
  }

  /** The same as an event, so that the bar which shows a job can show a batch. */
  static JsonNode progress(Batch batch) {
    long all = Math.max(1, batch.states().stream().mapToLong(batch::count).sum());
    return Json.object()
        .put("state", batch.isSettled() ? "finished" : "running")
        .put("progress", 100 * batch.settled() / all)
        .put("message", counts(batch));
  }

  static void print(Session session, Batch batch) {
    JsonNode json = batch.json();
    JsonNode credits = json.path("credits");
    new Details()
        .line("batch", batch.id())
        .line("user", Json.text(json, "user"))
        .line("mode", Json.text(json, "mode").replace('_', ' '))
        .line("jobs", Say.number(batch.size()))
        .line("states", counts(batch))
        .line("finished", Json.truth(json, "finished") ? "yes" : "no")
        .line(
            "credits",
            "held %,d, captured %,d, refunded %,d"
                .formatted(
                    Json.number(credits, "held"),
                    Json.number(credits, "captured"),
                    Json.number(credits, "refunded")))
        .line("created", session.ago(json, "created_at"))
        .print(session, json);
  }

  /** The worst end of its jobs decides. */
  static ExitCode exit(Batch batch) {
    List<ExitCode> worstFirst =
        List.of(
            ExitCode.INTERNAL,
            ExitCode.JOB_FAILED,
            ExitCode.REFUSED,
            ExitCode.CANCELED,
            ExitCode.IN_REVIEW);
    List<ExitCode> ends = batch.states().stream().map(ExitCode::ofJobState).toList();
    return worstFirst.stream().filter(ends::contains).findFirst().orElse(ExitCode.OK);
  }
}
