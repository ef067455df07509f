package dev.millrace.cli.command.job;

import dev.millrace.cli.api.ApiBatch;
import dev.millrace.cli.api.ApiJson;
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
  static String counts(ApiBatch batch) {
    return batch.states().stream()
        .map(state -> Say.number(batch.count(state)) + " " + state.replace('_', ' '))
        .collect(Collectors.joining(", "));
  }

  /** The same as an event, so that the bar which shows a job can show a batch. */
  static JsonNode progress(ApiBatch batch) {
    long all = Math.max(1, batch.states().stream().mapToLong(batch::count).sum());
    return ApiJson.object()
        .put("state", batch.isSettled() ? "finished" : "running")
        .put("progress", 100 * batch.settled() / all)
        .put("message", counts(batch));
  }

  static void print(Session session, ApiBatch batch) {
    JsonNode json = batch.json();
    JsonNode credits = json.path("credits");
    new Details()
        .line("batch", batch.id())
        .line("user", ApiJson.text(json, "user"))
        .line("mode", ApiJson.text(json, "mode").replace('_', ' '))
        .line("jobs", Say.number(batch.size()))
        .line("states", counts(batch))
        .line("finished", ApiJson.truth(json, "finished") ? "yes" : "no")
        .line(
            "credits",
            "held %,d, captured %,d, refunded %,d"
                .formatted(
                    ApiJson.number(credits, "held"),
                    ApiJson.number(credits, "captured"),
                    ApiJson.number(credits, "refunded")))
        .line("created", session.ago(json, "created_at"))
        .print(session, json);
  }

  /** The worst end of its jobs decides. */
  static ExitCode exit(ApiBatch batch) {
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
