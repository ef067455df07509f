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
record Handover(WorkingSet set, Moves moves, Timings timings) {

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
        new Attempt.Intended(job.id(), job.tries().attempts(), intend.provider(), set.at(job)));
    return new Result.Done(set.touch(job.leased(lease.intending(intend.provider()))));
  }

  /**
   * From here on the provider has it. The lease lasts until the callback's deadline: whoever
   * collects the result carries its token. A job that is being canceled stays so, but whom to
   * cancel it with is remembered.
   */
  Result accept(Job job, Report.Accept accept) {
    Lease lease = Objects.requireNonNull(job.lease());
    boolean canceling = job.state() == State.CANCELING;
    if (lease.provider() == null || (job.state() != State.RUNNING && !canceling)) {
      return new Result.Denied(job.state(), Trigger.PROVIDER_ACCEPTED);
    }
    if (canceling) {
      remember(job, accept);
      return new Result.Done(job);
    }
    Instant deadline = set.now().plus(timings.callback());
    Result result =
        moves.move(
            job.with(
                new Progress(job.progress().percent(), "submitted", "Accepted by the provider")),
            Trigger.PROVIDER_ACCEPTED,
            new Target(State.SUBMITTED, job.times().deadline(deadline), lease.until(deadline), 0));
    if (result instanceof Result.Done) {
      remember(job, accept);
    }
    return result;
  }

  private void remember(Job job, Report.Accept accept) {
    set.note(
        new Attempt.Accepted(job.id(), job.tries().attempts(), accept.reference(), set.at(job)));
  }
}
