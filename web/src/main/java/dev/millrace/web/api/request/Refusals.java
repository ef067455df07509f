package dev.millrace.web.api.request;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.files.StorageUse;
import dev.millrace.postgres.jobs.TaskState;
import dev.millrace.postgres.jobs.TaskView;
import dev.millrace.service.access.ApiKeys;
import dev.millrace.service.catalogue.Catalogue;
import dev.millrace.service.catalogue.reading.Reload;
import dev.millrace.service.files.FileErasure;
import dev.millrace.service.files.FileUploads;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.service.review.Reviews;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** What a client is told when the engine refuses. */
public final class Refusals {

  private Refusals() {}

  /** The file's end, if it has come to it. */
  public static FileErasure.Deletion.Done requireDeleted(FileErasure.Deletion deletion) {
    return switch (deletion) {
      case FileErasure.Deletion.Done done -> done;
      case FileErasure.Deletion.InUse() ->
          throw new ProblemException(
              409, "file_in_use", "A job that has not ended uses this file. Cancel it, or wait.");
      case FileErasure.Deletion.Missing() -> throw ProblemException.notFound();
    };
  }

  private static String credits(long credits) {
    return credits == 1 ? "1 credit" : credits + " credits";
  }

  public static ProblemException insufficientCredits(long required, long balance) {
    return new ProblemException(
        Problem.of(
                402,
                "insufficient_credits",
                "This costs %s, and the wallet has %d.".formatted(credits(required), balance))
            .with("required_credits", required)
            .with("balance", balance));
  }

  /** No room for a file or for what a job makes. Nothing was stored. */
  public static ProblemException storageFull(StorageUse.Full full) {
    boolean own = full.whose() == StorageUse.Whose.USER;
    return new ProblemException(
        Problem.of(
                409,
                "storage_quota_exceeded",
                own
                    ? "This user has stored %d bytes of the %d that are allowed, so there is no room"
                            .formatted(full.used(), full.limit())
                        + " for this. Delete files or jobs, or ask for a higher limit."
                    : "The users of this tenant have stored %d bytes of the %d that are allowed, so"
                            .formatted(full.used(), full.limit())
                        + " there is no room for this. Delete files or jobs, or ask who runs this"
                        + " server for a higher limit.")
            .with("whose", own ? "user" : "tenant")
            .with("used_bytes", full.used())
            .with("limit_bytes", full.limit()));
  }

  /** The place for an upload, or the refusal as a problem. */
  public static <P> P requirePlace(FileUploads.Answer<P> answer) {
    return switch (answer) {
      case FileUploads.Answer.Given<P>(P place) -> place;
      case FileUploads.Answer.TooMany<P>() ->
          throw new ProblemException(
              409,
              "too_many_uploads",
              "Too many files wait to be uploaded and confirmed. Confirm or delete some first.");
      case FileUploads.Answer.NoRoom<P>(var full) -> throw storageFull(full);
    };
  }

  /**
   * The job that the engine changed, or the refusal as a problem.
   *
   * @param participle what was asked for, as in "can't be canceled"
   */
  public static Job requireDone(Report.Result result, String participle) {
    return switch (result) {
      case Report.Result.Done(Job job) -> job;
      case Report.Result.Denied(State state, _) -> throw notNow(state, participle);
      case Report.Result.NotNow(State state) -> throw notNow(state, participle);
      case Report.Result.InsufficientCredits(long required, long balance) ->
          throw insufficientCredits(required, balance);
      case Report.Result.NoSuchItems(var items) -> throw noSuchItems(items);
      case Report.Result.ItemsDecided() ->
          throw new ProblemException(
              409,
              "items_decided",
              "Somebody decided about one of these items meanwhile. Nothing changed: look again.");
      case Report.Result.StaleLease() ->
          throw new ProblemException(
              409, "stale_lease", "This lease is over. Stop working on the job.");
      case Report.Result.Missing(), Report.Result.Repeated() -> throw ProblemException.notFound();
    };
  }

  /** What came of doing a job again, or the refusal. */
  public static JobSubmission.Outcome requireRetried(JobActions.Retry retry) {
    return switch (retry) {
      case JobActions.Retry.Submitted(var outcome) -> outcome;
      case JobActions.Retry.NotNow(State state) -> throw notNow(state, "retried");
      case JobActions.Retry.EffectGone(String effect) ->
          throw new ProblemException(
              409, "effect_not_on_offer", "The effect " + effect + " is not on offer any more.");
    };
  }

  public static void requireContinued(JobActions.Continuation continuation) {
    switch (continuation) {
      case JobActions.Continuation.Decided(var result) -> requireDone(result, "retried in place");
      case JobActions.Continuation.PerhapsBought(UUID job) ->
          throw new ProblemException(
              409,
              "perhaps_bought",
              "Its provider may have taken the job, and can't be asked. In place it is never sent"
                  + " again. POST /api/jobs/"
                  + job
                  + "/retry makes a new job, which may be paid for at the provider a second time.");
    }
  }

  public static void requireAdopted(JobActions.Adoption adoption) {
    switch (adoption) {
      case JobActions.Adoption.Decided(var result) -> requireDone(result, "adopted");
      case JobActions.Adoption.NothingLate() ->
          throw new ProblemException(
              409, "no_late_result", "No result came too late for this job.");
    }
  }

  public static JobActions.Deletion.Deleted requireDeleted(JobActions.Deletion deletion) {
    return switch (deletion) {
      case JobActions.Deletion.Deleted deleted -> deleted;
      case JobActions.Deletion.Refused(var result) -> {
        requireDone(result, "deleted");
        throw new IllegalStateException("a refusal that refuses nothing: " + result);
      }
    };
  }

  public static void requireDecided(Reviews.Outcome outcome) {
    switch (outcome) {
      case Reviews.Outcome.Decided(var step, var result) ->
          requireDone(result, step.name().toLowerCase(Locale.ROOT));
      case Reviews.Outcome.FollowUpImpossible(String why) ->
          throw new ProblemException(
              409,
              "follow_up_impossible",
              "Nothing was approved, because what follows can't start: "
                  + why
                  + ". To approve without it, send \"follow_up\": false.");
    }
  }

  /** The task that was told to stop, unless it had done everything before. */
  public static TaskView requireStopped(Optional<TaskView> stopped) {
    TaskView task = stopped.orElseThrow(ProblemException::notFound);
    if (task.state() == TaskState.DONE) {
      throw new ProblemException(
          Problem.of(409, "transition_denied", "This task is done, so it can't be stopped."));
    }
    return task;
  }

  public static ApiKeys.Creation.Made requireMade(ApiKeys.Creation creation) {
    return switch (creation) {
      case ApiKeys.Creation.Made made -> made;
      case ApiKeys.Creation.BoundAdmin() ->
          throw ProblemException.invalid(
              "/user", "must be left out: an admin's or operator's key is the whole tenant's");
      case ApiKeys.Creation.MoreThanOwn() ->
          throw new ProblemException(
              403, "forbidden", "A key can't have more rights than the one that makes it.");
    };
  }

  /** The catalogue as it was read, or what is wrong with it. */
  public static Catalogue requireRead(Reload reload) {
    return switch (reload) {
      case Reload.Reloaded(var catalogue) -> catalogue;
      case Reload.Rejected(var problems) ->
          throw new ProblemException(
              Problem.invalid(
                  problems.stream()
                      .map(p -> new Problem.Violation(p.path(), p.toString()))
                      .toList()));
    };
  }

  /** True if the payment was booked now, false if it had been before. */
  public static boolean requireBooked(TopUp.Result result) {
    return switch (result) {
      case TopUp.Result.Booked(_) -> true;
      case TopUp.Result.Replayed(_) -> false;
      case TopUp.Result.KeyMismatch() ->
          throw new ProblemException(
              422,
              "idempotency_mismatch",
              "This idempotency key was used before, for another amount. Use a new key.");
      case TopUp.Result.TooRich(_) ->
          throw ProblemException.invalid("/amount", "is more than the wallet can hold");
      case TopUp.Result.TooPoor(Wallet wallet) ->
          throw ProblemException.invalid(
              "/amount", "is more than the wallet has: " + credits(wallet.balance()));
    };
  }

  /** These are not outputs of the job; none of them means that none was named. */
  private static ProblemException noSuchItems(Collection<UUID> items) {
    return ProblemException.invalid(
        "/items",
        items.isEmpty()
            ? "must name at least one output; to let none through, decline"
            : "names what is not an output of this job: " + items);
  }

  public static ProblemException notNow(State state, String participle) {
    return new ProblemException(
        Problem.of(
                409,
                "transition_denied",
                "A job that is %s can't be %s.".formatted(state.label(), participle))
            .with("state", state.label()));
  }
}
