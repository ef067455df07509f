package dev.millrace.web.api.job;

import dev.millrace.engine.command.SubmitJob;
import dev.millrace.postgres.files.StorageUse;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.catalogue.Resolution;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a client is told who asked for a job, in whatever way. */
public record SubmitAnswers(JobAnswers shown, InstantSource clock) {

  /**
   * The job that a request led to.
   *
   * @param made null if it had been made before
   */
  public record Submitted(UUID id, @Nullable JobView made) {}

  Response answer(JobSubmission.Outcome outcome, Request request, Principal principal) {
    Submitted submitted = require(outcome);
    JobView made = submitted.made();
    return made == null
        ? shown
            .answerIfThere(200, request, principal, submitted.id())
            .orElseThrow(SubmitAnswers::deleted)
            .header("Idempotency-Replayed", "true")
        : Response.json(201, shown.json(made, List.of(), request))
            .header("Location", "/api/jobs/" + made.id());
  }

  /** The job, or the refusal as a problem. */
  public Submitted require(JobSubmission.Outcome outcome) {
    return switch (outcome) {
      case JobSubmission.Outcome.UnknownEffect() ->
          throw ProblemException.invalid("/effect", "no effect on offer has this name");
      case JobSubmission.Outcome.InvalidInput(var errors) ->
          throw new ProblemException(Problem.invalid(violations(errors)));
      case JobSubmission.Outcome.Undecided(Duration retryAfter) ->
          throw new ProblemException(
                  503, "moderation_unavailable", "The input can't be judged now. Try again.")
              .header("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
      case JobSubmission.Outcome.UsedUp() -> throw usedUp();
      case JobSubmission.Outcome.TenantFull(var full) -> throw Refusals.storageFull(full);
      case JobSubmission.Outcome.Accepted(JobView job) -> new Submitted(job.id(), job);
      case JobSubmission.Outcome.Decided(SubmitJob.Result result) -> require(result);
    };
  }

  static ProblemException usedUp() {
    return new ProblemException(
        403,
        "token_used_up",
        "This token is not good for so many more jobs. Ask your backend for a new one.");
  }

  static List<Problem.Violation> violations(List<Resolution.InputError> errors) {
    return errors.stream()
        .map(error -> new Problem.Violation(error.path(), error.message()))
        .toList();
  }

  private Submitted require(SubmitJob.Result result) {
    return switch (result) {
      case SubmitJob.Result.Replayed(var job) -> new Submitted(job.uuid(), null);
      case SubmitJob.Result.KeyMismatch(_) ->
          throw new ProblemException(
              422,
              "idempotency_mismatch",
              "This idempotency key was used before, for another request. Use a new key.");
      case SubmitJob.Result.Blocked(var job, var denial) ->
          throw new ProblemException(
              Problem.of(403, "blocked", denial.message())
                  .with("category", denial.category())
                  .with("job_id", job.id().uuid().toString()));
      case SubmitJob.Result.TooManyActive(int limit) -> throw tooManyActive(limit);
      case SubmitJob.Result.QuotaUsedUp(int limit, Instant resetsAt) ->
          throw quotaUsedUp(limit, resetsAt);
      case SubmitJob.Result.StorageFull(long used, long limit) -> throw storageFull(used, limit);
      case SubmitJob.Result.InsufficientCredits(long required, long balance) ->
          throw Refusals.insufficientCredits(required, balance);
      case SubmitJob.Result.Accepted _, SubmitJob.Result.Withheld _ ->
          throw new IllegalStateException("a single job is never answered so: " + result);
    };
  }

  /** A deleted job is answered like none, but its key can't make another one. */
  public static ProblemException deleted() {
    return new ProblemException(
        410, "job_deleted", "The job of this key was deleted. Use a new key.");
  }

  static ProblemException tooManyActive(int limit) {
    return new ProblemException(
            Problem.of(
                    429,
                    "too_many_active_jobs",
                    "This user has %d live jobs, which is the limit. Wait for one to end."
                        .formatted(limit))
                .with("limit", limit))
        .header("Retry-After", "5");
  }

  private ProblemException quotaUsedUp(int limit, Instant resetsAt) {
    long seconds = Math.max(1, Duration.between(clock.instant(), resetsAt).toSeconds());
    return new ProblemException(quotaProblem(limit, resetsAt))
        .header("Retry-After", Long.toString(seconds));
  }

  static ProblemException storageFull(long used, long limit) {
    return Refusals.storageFull(new StorageUse.Full(StorageUse.Whose.USER, used, limit));
  }

  static Problem quotaProblem(int limit, Instant resetsAt) {
    return Problem.of(
            429,
            "daily_quota_used_up",
            "This user has had the %d jobs of today. The next day begins at %s."
                .formatted(limit, resetsAt))
        .with("limit", limit)
        .with("resets_at", resetsAt.toString());
  }
}
