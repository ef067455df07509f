package dev.millrace.web.api.job;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.jobs.BatchView;
import dev.millrace.postgres.jobs.Batches;
import dev.millrace.service.catalogue.Resolution;
import dev.millrace.service.jobs.BatchSubmission.ItemResult;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.JsonBytes;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.Problem.Violation;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Batches, and what became of each of their jobs, as the API shows them. */
final class BatchJson {

  private static final JsonMapper JSON = JsonMapper.shared();

  private BatchJson() {}

  static ObjectNode batch(BatchView batch, Batches.Counts counts) {
    ObjectNode json = JSON.createObjectNode();
    json.put("id", batch.id().toString());
    json.put("user", batch.userId());
    json.put("workspace", batch.workspace());
    json.put("mode", batch.atomic() ? BatchReader.ALL_OR_NOTHING : BatchReader.PARTIAL);
    json.put("size", batch.size());
    json.put("created_at", batch.createdAt().toString());
    json.put("finished", counts.states().keySet().stream().allMatch(State::terminal));
    ObjectNode states = json.putObject("counts");
    counts.states().forEach((state, jobs) -> states.put(state.label(), jobs));
    json.putObject("credits")
        .put("held", counts.held())
        .put("captured", counts.captured())
        .put("refunded", counts.refunded());
    return json;
  }

  /**
   * One result for each item.
   *
   * @param mistakes what is wrong with the form of each item
   * @param stored whether the batch exists, and with it the jobs that were blocked
   */
  static ArrayNode results(
      List<ItemResult> itemResults, List<List<Violation>> mistakes, boolean stored) {
    ArrayNode results = JSON.createArrayNode();
    for (int i = 0; i < itemResults.size(); i++) {
      ObjectNode result = results.addObject().put("index", i);
      switch (itemResults.get(i)) {
        case ItemResult.Malformed() -> tell(result, "refused", Problem.invalid(mistakes.get(i)));
        case ItemResult.Stopped(var why) ->
            tell(result, "refused", stopped(why, BatchReader.at(i)));
        case ItemResult.Denied(var denial) ->
            tell(result, "blocked", blocked(denial.category(), denial.message()));
        case ItemResult.Decided(var decision) -> decided(result, decision, stored);
        case ItemResult.Earlier(var job) -> earlier(result, job);
        case ItemResult.RefusedEarlier() -> result.put("status", "refused");
      }
    }
    return results;
  }

  private static void decided(ObjectNode json, SubmitJob.Result result, boolean stored) {
    switch (result) {
      case SubmitJob.Result.Accepted(var job) -> accepted(json, job.id().uuid());
      case SubmitJob.Result.Replayed(var job) -> accepted(json, job.uuid());
      case SubmitJob.Result.Withheld() -> json.put("status", "withheld");
      case SubmitJob.Result.Blocked(var job, var denial) -> {
        if (stored) {
          json.put("job_id", job.id().uuid().toString());
        }
        tell(json, "blocked", blocked(denial.category(), denial.message()));
      }
      case SubmitJob.Result.KeyMismatch(_) -> throw new IllegalStateException("items have no keys");
      case SubmitJob.Result.TooManyActive(int limit) ->
          tell(json, "refused", SubmitAnswers.tooManyActive(limit).problem());
      case SubmitJob.Result.QuotaUsedUp(int limit, var resetsAt) ->
          tell(json, "refused", SubmitAnswers.quotaProblem(limit, resetsAt));
      case SubmitJob.Result.StorageFull(long used, long limit) ->
          tell(json, "refused", SubmitAnswers.storageFull(used, limit).problem());
      case SubmitJob.Result.InsufficientCredits(long required, long balance) ->
          tell(json, "refused", Refusals.insufficientCredits(required, balance).problem());
    }
  }

  private static void earlier(ObjectNode json, Batches.Member job) {
    accepted(json, job.id());
    if (job.state() == State.BLOCKED) {
      tell(
          json,
          "blocked",
          blocked(
              Objects.requireNonNullElse(job.errorCode(), ""),
              Objects.requireNonNullElse(job.errorMessage(), "")));
    }
  }

  private static Problem stopped(JobSubmission.Outcome why, String at) {
    return switch (why) {
      case JobSubmission.Outcome.UnknownEffect() ->
          Problem.invalid(
              List.of(new Violation(at + "/effect", "no effect on offer has this name")));
      case JobSubmission.Outcome.InvalidInput(List<Resolution.InputError> errors) ->
          Problem.invalid(
              errors.stream()
                  .map(error -> new Violation(at + error.path(), error.message()))
                  .toList());
      case JobSubmission.Outcome.Undecided(_) ->
          Problem.of(503, "moderation_unavailable", "The input can't be judged now. Try again.");
      case JobSubmission.Outcome.TenantFull(var full) -> Refusals.storageFull(full).problem();
      case JobSubmission.Outcome.Accepted _,
          JobSubmission.Outcome.Decided _,
          JobSubmission.Outcome.UsedUp _ ->
          throw new IllegalStateException("what the engine decided was not stopped");
    };
  }

  private static Problem blocked(String category, String message) {
    return Problem.of(403, "blocked", message).with("category", category);
  }

  private static void accepted(ObjectNode json, UUID job) {
    json.put("job_id", job.toString()).put("status", "accepted");
  }

  private static void tell(ObjectNode json, String status, Problem problem) {
    json.put("status", status);
    json.set("problem", JsonBytes.mapper().valueToTree(problem.members()));
  }
}
