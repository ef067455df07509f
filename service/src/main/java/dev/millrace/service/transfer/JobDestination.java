package dev.millrace.service.transfer;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.port.Changes.Links;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.transfers.TransferError;
import dev.millrace.service.attempt.RunningAttempt;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.service.jobs.JobRequest;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.spi.provider.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a job of each row, with the row's key as its idempotency key, so that a row that is handed
 * over again finds its job. Where the user may not have more jobs at once, it waits.
 */
final class JobDestination implements Destination {

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final JobSubmission submission;
  private final Engine engine;
  private final RunningAttempt attempt;
  private final JobView source;
  private final String effect;

  /**
   * Makes the way there.
   *
   * @param source the job that the rows are read by
   */
  JobDestination(
      JobSubmission submission,
      Engine engine,
      RunningAttempt attempt,
      JobView source,
      String effect) {
    this.submission = submission;
    this.engine = engine;
    this.attempt = attempt;
    this.source = source;
    this.effect = effect;
  }

  @Override
  public Answer hand(List<Row> rows) throws InterruptedException {
    Counts counts = Counts.NONE;
    List<TransferError> errors = new ArrayList<>();
    for (Row row : rows) {
      Step step = submit(row);
      while (step instanceof Step.Later) {
        if (attempt.awaitStop(PAUSE)) {
          return new Answer.Ended(new Outcome.Canceled());
        }
        step = submit(row);
      }
      switch (step) {
        case Step.Ended(Outcome outcome) -> {
          return new Answer.Ended(outcome);
        }
        case Step.Refused(@Nullable String field, String why) -> {
          counts = counts.plus(Counts.FAILED, 1);
          errors.add(RowErrors.of(row.line(), field, why));
        }
        case Step.Made(), Step.Later() -> counts = counts.plus(Counts.TAKEN, 1);
      }
    }
    return new Answer.Counted(counts, errors);
  }

  /** What became of one row. */
  private sealed interface Step {
    record Made() implements Step {}

    record Later() implements Step {}

    record Refused(@Nullable String field, String why) implements Step {}

    /** No other row would fare better. */
    record Ended(Outcome outcome) implements Step {}
  }

  private Step submit(Row row) throws InterruptedException {
    JobRequest request =
        new JobRequest(
            effect,
            Objects.requireNonNull(row.data()),
            source.request().userId(),
            row.key(),
            0,
            null,
            source.links().workspace(),
            new JobNotes(
                null,
                new JobNotes.Related("import", source.id().toString()),
                JobNotes.Wishes.NONE,
                null));
    int tenant = source.request().tenantId();
    return switch (submission.prepare(tenant, request, Links.NONE)) {
      case JobSubmission.Prepared.Ready(SubmitJob command, _) -> step(engine.submit(command));
      case JobSubmission.Prepared.Stopped(var outcome) -> step(outcome);
    };
  }

  private static Step step(JobSubmission.Outcome outcome) {
    return switch (outcome) {
      case JobSubmission.Outcome.InvalidInput(var errors) ->
          new Step.Refused(
              errors.getFirst().path().replaceFirst("^/input/", ""), errors.getFirst().message());
      case JobSubmission.Outcome.Undecided _ -> new Step.Later();
      case JobSubmission.Outcome.UnknownEffect() -> ended("The effect of a row is not on offer.");
      case JobSubmission.Outcome.TenantFull _ -> ended("There is no room for more files.");
      case JobSubmission.Outcome.Accepted _,
          JobSubmission.Outcome.Decided _,
          JobSubmission.Outcome.UsedUp _ ->
          throw new IllegalStateException("nothing was submitted yet: " + outcome);
    };
  }

  private static Step step(SubmitJob.Result result) {
    return switch (result) {
      case SubmitJob.Result.Accepted _, SubmitJob.Result.Replayed _ -> new Step.Made();
      case SubmitJob.Result.TooManyActive _ -> new Step.Later();
      case SubmitJob.Result.KeyMismatch _ ->
          new Step.Refused(null, "was handed over before, with other cells");
      case SubmitJob.Result.Blocked(_, var denial) -> new Step.Refused(null, denial.message());
      case SubmitJob.Result.QuotaUsedUp _ -> ended("The user has had all jobs of today.");
      case SubmitJob.Result.StorageFull _ -> ended("There is no room for more files.");
      case SubmitJob.Result.InsufficientCredits _ -> ended("The wallet can't pay for more rows.");
      case SubmitJob.Result.Withheld() -> throw new IllegalStateException("not in a batch");
    };
  }

  /** A retry goes on with this row. */
  private static Step ended(String why) {
    return new Step.Ended(new Outcome.Failed(why));
  }
}
