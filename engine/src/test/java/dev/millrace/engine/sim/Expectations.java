package dev.millrace.engine.sim;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.job.Tries;
import dev.millrace.engine.lifecycle.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a report must lead to, said a second time and in other words than the engine says it. */
final class Expectations {

  /**
   * Where a job must be after a report.
   *
   * @param kept how much of the hold is captured if the state is terminal
   * @param same true if nothing at all may change
   */
  record Next(State state, Tries tries, long kept, boolean same) {}

  private final Timings timings;

  Expectations(Timings timings) {
    this.timings = timings;
  }

  void leased(Job before, LeaseJobs ask, Leased leased, Instant now) {
    Job job = leased.job();
    Lease lease = job.lease();
    require(before.state() == State.QUEUED, "only a queued job is leased", before, leased);
    require(
        job.state() == State.RUNNING
            && lease != null
            && lease.token().equals(leased.token())
            && lease.worker().equals(ask.worker())
            && lease.expiresAt().equals(now.plus(timings.lease()))
            && job.tries().equals(before.tries().started())
            && job.hold().equals(before.hold())
            && job.facts().equals(before.facts())
            && job.events() == before.events() + 1,
        "a lease is the worker's, for its time",
        before,
        leased,
        now);
    require(
        now.plusSeconds(job.facts().runSeconds()).equals(job.times().deadlineAt()),
        "every state has its own deadline",
        job,
        now);
  }

  /** Null if the table has no way. The caller made sure that a lease is alive. */
  @Nullable Next after(Job job, Report report, Instant now) {
    boolean canceling = job.state() == State.CANCELING;
    return switch (report) {
      case Report.Heartbeat _ -> new Next(job.state(), job.tries(), 0, false);
      case Report.Complete complete -> completed(job, complete);
      case Report.Fail fail -> canceling ? end(job, State.CANCELED, 0) : failed(job, fail);
      case Report.Requeue _, Report.AcknowledgeCancel _ ->
          canceling ? end(job, State.CANCELED, 0) : interrupted(job);
      case Report.Cancel _ -> canceled(job);
      case Report.LoseLease lost -> leaseLost(job, lost, now);
      case Report.MissDeadline _ -> {
        Instant deadline = job.times().deadlineAt();
        boolean missed = deadline != null && !now.isBefore(deadline);
        yield missed ? end(job, canceling ? State.CANCELED : State.EXPIRED, 0) : same(job);
      }
      case Report.Promote _ ->
          job.state() == State.PENDING && !now.isBefore(job.times().dueAt())
              ? new Next(State.QUEUED, job.tries(), 0, false)
              : same(job);
    };
  }

  private static Next same(Job job) {
    return new Next(job.state(), job.tries(), 0, true);
  }

  private static Next end(Job job, State state, long kept) {
    return new Next(state, job.tries(), kept, false);
  }

  private static Next completed(Job job, Report.Complete complete) {
    if (job.facts().review()) {
      return job.state() == State.CANCELING
          ? end(job, State.CANCELED, 0)
          : new Next(State.WAITING_REVIEW, job.tries(), 0, false);
    }
    return end(job, State.COMPLETED, Math.clamp(complete.charge(), 0, job.hold().amount()));
  }

  private static Next failed(Job job, Report.Fail fail) {
    return switch (fail.kind()) {
      case PERMANENT -> end(job, State.FAILED, 0);
      case SAFETY -> end(job, State.REJECTED, job.facts().safetyRefund() ? 0 : job.hold().amount());
      case RETRYABLE -> {
        Tries tries = job.tries().failed();
        boolean last = tries.failures() == tries.maxFailures();
        yield new Next(last ? State.DEAD_LETTER : State.PENDING, tries, 0, false);
      }
    };
  }

  private static Next interrupted(Job job) {
    Tries tries = job.tries().interrupted();
    boolean last = tries.interruptions() == tries.maxInterruptions();
    return new Next(last ? State.DEAD_LETTER : State.QUEUED, tries, 0, false);
  }

  private static @Nullable Next canceled(Job job) {
    return switch (job.state()) {
      case CANCELING -> same(job);
      case RUNNING, SUBMITTED -> new Next(State.CANCELING, job.tries(), 0, false);
      case PENDING, QUEUED, WAITING_REVIEW -> end(job, State.CANCELED, 0);
      case COMPLETED, FAILED, DEAD_LETTER, REJECTED, CANCELED, EXPIRED, BLOCKED -> null;
    };
  }

  private static Next leaseLost(Job job, Report.LoseLease lost, Instant now) {
    Lease lease = job.lease();
    if (lease == null || !lease.token().equals(lost.token())) {
      return same(job);
    }
    if (!lost.abandoned() && now.isBefore(lease.expiresAt())) {
      return same(job);
    }
    return job.state() == State.CANCELING ? end(job, State.CANCELED, 0) : interrupted(job);
  }

  void check(Job before, Report report, Next next, Job after, Instant now) {
    if (next.same) {
      require(
          after.equals(before), "a report too late or too early changes nothing", report, after);
      return;
    }
    require(
        after.state() == next.state, "a report leads where it must", report, before, next, after);
    require(after.tries().equals(next.tries), "tries are counted right", report, before, after);
    require(
        after.id().equals(before.id()) && after.facts().equals(before.facts()),
        "a job's facts never change",
        before,
        after);
    boolean open = next.state.live();
    require(
        after.hold().open() == open
            && after.hold().amount() == before.hold().amount()
            && after.hold().captured() == (open ? 0 : next.kept),
        "a report takes what it may of the hold",
        report,
        next,
        after);
    lease(before, report, after, now);
    times(before, report, after, now);
  }

  private void lease(Job before, Report report, Job after, Instant now) {
    boolean holds = after.state() == State.RUNNING || after.state() == State.CANCELING;
    Lease expected = holds ? before.lease() : null;
    if (report instanceof Report.Heartbeat && expected != null) {
      expected = expected.until(now.plus(timings.lease()));
    }
    require(
        Objects.equals(after.lease(), expected),
        "a lease ends with the attempt",
        report,
        after,
        now);
  }

  private void times(Job before, Report report, Job after, Instant now) {
    boolean moved = after.state() != before.state();
    int events = after.events() - before.events();
    require(events == 1 || (events == 0 && !moved), "each step leaves one event", before, after);
    if (report instanceof Report.Heartbeat heartbeat) {
      require(
          heartbeat.progress() == null || heartbeat.progress().equals(after.progress()),
          "progress is what was reported last",
          report,
          after);
    }
    if (report instanceof Report.Fail fail && after.state() == State.PENDING) {
      Duration least = fail.retryAfter() == null ? backoff(after, fail) : fail.retryAfter();
      require(
          after.times().dueAt().equals(now.plus(least)), "a retry waits its time", report, after);
    }
    boolean renewed = moved && !(report instanceof Report.Promote);
    Instant deadline = renewed ? deadline(after, now) : before.times().deadlineAt();
    require(
        Objects.equals(after.times().deadlineAt(), deadline),
        "every state has its own deadline",
        report,
        after,
        now);
  }

  private Duration backoff(Job job, Report.Fail fail) {
    return timings.backoff().after(job.tries().failures(), fail.jitter());
  }

  private @Nullable Instant deadline(Job job, Instant now) {
    int patience = job.facts().queueSeconds();
    return switch (job.state()) {
      case PENDING -> job.times().dueAt().plusSeconds(patience);
      case QUEUED -> now.plusSeconds(patience);
      case RUNNING -> now.plusSeconds(job.facts().runSeconds());
      case WAITING_REVIEW -> now.plus(timings.review());
      case CANCELING -> now.plus(timings.cancelGrace());
      default -> null;
    };
  }
}
