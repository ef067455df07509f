package dev.millrace.engine.command;

import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.command.WorkingSet.Target;
import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import java.time.Instant;
import java.util.Objects;

/** Handing an attempt to an outside provider: first the intent, then its acceptance. */
record Handover(WorkingSet set, Transitions moves, Timings timings) {

  private static final String STEP = "submitted";
  private static final String FETCHING = "fetching";
  private static final String ACCEPTED = "Accepted by the provider";
  private static final String UNCONFIRMED =
      "Asking the provider whether it has the job: its answer got lost";

  /** Said twice is said once, as long as it names the same provider. */
  Result intend(Job job, Report.Intend intend) {
    Lease lease = Objects.requireNonNull(job.lease());
    if (intend.provider().equals(lease.provider())) {
      return new Result.Done(job);
    }
    if (lease.provider() != null || job.state() != State.RUNNING) {
      return new Result.Denied(job.state(), Trigger.PROVIDER_ACCEPTED);
    }
    set.note(
        new Attempt.Intended(
            job.id(),
            job.tries().attempts(),
            intend.provider(),
            intend.settledBefore(),
            set.at(job)));
    return new Result.Done(set.touch(job.leased(lease.intending(intend.provider()))));
  }

  /**
   * It may be there, so it waits as if it were: without a slot, until the provider says so or the
   * callback's deadline has come. The intent of an earlier attempt that nobody heard of is reason
   * enough; then this attempt has none of its own.
   */
  Result unconfirmed(Job job, Report.Unconfirmed report) {
    Lease lease = Objects.requireNonNull(job.lease());
    boolean other = lease.provider() != null && !lease.provider().equals(report.provider());
    if (other || job.state() == State.SUBMITTED) {
      return new Result.Denied(job.state(), Trigger.SUBMIT_UNCONFIRMED);
    }
    Lease asking = lease.intending(report.provider());
    Result result =
        job.state() == State.CANCELING
            ? new Result.Done(set.touch(job.leased(asking)))
            : submitted(job, asking, Trigger.SUBMIT_UNCONFIRMED, UNCONFIRMED);
    if (result instanceof Result.Done) {
      set.note(new Attempt.Unconfirmed(job.id(), job.tries().attempts(), set.at(job)));
    }
    return result;
  }

  /**
   * From here on the provider has it. The lease lasts until the callback's deadline: whoever
   * collects the result carries its token. A job that is being canceled stays so, but whom to
   * cancel it with is remembered. What was unconfirmed is confirmed by it; said twice is said once.
   */
  Result accept(Job job, Report.Accept accept) {
    Lease lease = Objects.requireNonNull(job.lease());
    if (lease.provider() == null) {
      return new Result.Denied(job.state(), Trigger.PROVIDER_ACCEPTED);
    }
    Result result =
        job.state() == State.RUNNING
            ? submitted(job, lease, Trigger.PROVIDER_ACCEPTED, ACCEPTED)
            : new Result.Done(confirmed(job));
    if (result instanceof Result.Done) {
      set.note(
          new Attempt.Accepted(
              job.id(), job.tries().attempts(), lease.provider(), accept.reference(), set.at(job)));
    }
    return result;
  }

  /**
   * Said twice is said once, so that the patience ends. A provider that was heard in time has kept
   * its deadline: fetching gets at least its own time, and never less than was left. Who gave the
   * job up, or has not handed it over, is not waiting for a result.
   */
  Result made(Job job) {
    if (job.state() != State.SUBMITTED || isMade(job)) {
      return new Result.Done(job);
    }
    Lease lease = Objects.requireNonNull(job.lease());
    Instant least = set.now().plus(Timings.FETCHING);
    Instant deadline = later(least, Objects.requireNonNull(job.times().deadlineAt()));
    Job told = job.with(new Progress(job.progress().percent(), FETCHING, Report.Made.MESSAGE));
    return new Result.Done(
        set.report(
            told.in(
                State.SUBMITTED,
                job.times().deadline(deadline),
                lease.until(later(deadline, lease.expiresAt())))));
  }

  /** Whether the provider has done its part, and only the result has to be fetched. */
  static boolean isMade(Job job) {
    return job.state() == State.SUBMITTED && Report.Made.MESSAGE.equals(job.progress().message());
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private Result submitted(Job job, Lease lease, Trigger trigger, String message) {
    Instant deadline = set.now().plus(timings.callback());
    return moves.move(
        job.with(new Progress(job.progress().percent(), STEP, message)),
        trigger,
        new Target(State.SUBMITTED, job.times().deadline(deadline), lease.until(deadline)));
  }

  private Job confirmed(Job job) {
    return job.state() == State.SUBMITTED && UNCONFIRMED.equals(job.progress().message())
        ? set.report(job.with(new Progress(job.progress().percent(), STEP, ACCEPTED)))
        : job;
  }
}
