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
   * @param events how many lines of history it leaves; a heartbeat may leave none
   */
  record Next(State state, Tries tries, long kept, boolean same, int events) {
    Next(State state, Tries tries, long kept, boolean same) {
      this(state, tries, kept, same, same ? 0 : 1);
    }
  }

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
            && job.terms().equals(before.terms())
            && job.events() == before.events() + 1,
        "a lease is the worker's, for its time",
        before,
        leased,
        now);
    require(
        now.plusSeconds(job.terms().runSeconds()).equals(job.times().deadlineAt()),
        "every state has its own deadline",
        job,
        now);
  }

  /** Null if the table has no way. The caller made sure that a lease is alive. */
  @Nullable Next after(Job job, Report report, Instant now) {
    boolean canceling = job.state() == State.CANCELING;
    return switch (report) {
      case Report.Heartbeat _ -> new Next(job.state(), job.tries(), 0, false);
      case Report.Complete complete -> completed(job, complete, now);
      case Report.Fail fail ->
          canceling && fail.kind() != Report.Fail.Kind.SAFETY
              ? stopped(job, now)
              : failed(job, fail);
      case Report.Requeue _, Report.AcknowledgeCancel _ ->
          canceling ? stopped(job, now) : interrupted(job);
      case Report.Intend intend -> intended(job, intend);
      case Report.Unconfirmed unconfirmed -> unconfirmed(job, unconfirmed);
      case Report.Accept _ -> accepted(job);
      case Report.Made _ ->
          job.state() == State.SUBMITTED && !isMade(job)
              ? new Next(State.SUBMITTED, job.tries(), 0, false)
              : same(job);
      case Report.Cancel _ -> canceled(job);
      case Report.LoseLease lost -> leaseLost(job, lost, now);
      case Report.MissDeadline _ -> {
        Instant deadline = job.times().deadlineAt();
        boolean missed = deadline != null && !now.isBefore(deadline);
        Next end = canceling ? stopped(job, now) : end(job, State.EXPIRED, 0);
        yield missed ? end : same(job);
      }
      case Report.Promote _ ->
          job.state() == State.PENDING && !now.isBefore(job.times().dueAt())
              ? new Next(State.QUEUED, job.tries(), 0, false)
              : same(job);
      case Report.Reroute reroute ->
          rerouted(job, reroute) ? new Next(State.QUEUED, job.tries(), 0, false) : same(job);
      case Report.ByPerson person -> decided(job, person);
    };
  }

  private static boolean isMade(Job job) {
    return job.state() == State.SUBMITTED && "fetching".equals(job.progress().step());
  }

  private static Instant fetched(@Nullable Instant deadline, Instant now) {
    Instant least = now.plus(Timings.FETCHING);
    return deadline != null && deadline.isAfter(least) ? deadline : least;
  }

  private static boolean rerouted(Job job, Report.Reroute reroute) {
    return job.state() == State.QUEUED
        && job.terms().workflowId() == reroute.from()
        && job.tries().attempts() == reroute.attempts();
  }

  private static @Nullable Next decided(Job job, Report.ByPerson report) {
    boolean reviewed = job.state() == State.WAITING_REVIEW;
    return switch (report) {
      case Report.Approve approve -> {
        int items = approve.items() == null ? (int) job.delivered() : approve.items().size();
        long units = Prices.units(job, items);
        yield reviewed ? end(job, State.COMPLETED, Prices.charge(job, units)) : null;
      }
      case Report.ReviewItems _ ->
          reviewed ? new Next(State.WAITING_REVIEW, job.tries(), 0, false) : null;
      case Report.Decline _ -> {
        boolean keeps = job.terms().rules().declineConsumes();
        long kept = keeps ? Prices.charge(job, job.delivered()) : 0;
        yield reviewed ? end(job, State.REJECTED, kept) : null;
      }
      case Report.RejectByPolicy _ ->
          job.state() == State.PENDING || job.state() == State.QUEUED
              ? end(job, State.REJECTED, 0)
              : null;
      case Report.Overturn _ ->
          job.afterEnd().overturned()
              ? same(job)
              : new Next(job.state(), job.tries(), job.hold().captured(), false, 0);
      case Report.Delete _ -> new Next(job.state(), job.tries(), job.hold().captured(), false, 0);
      case Report.RetryInPlace retry -> {
        boolean ended =
            job.state() == State.FAILED
                || job.state() == State.DEAD_LETTER
                || job.state() == State.EXPIRED;
        Tries tries =
            new Tries(
                job.tries().attempts(),
                job.tries().failures(),
                job.tries().interruptions(),
                job.tries().failures() + retry.maxFailures(),
                job.tries().interruptions() + retry.maxInterruptions());
        yield ended && retry.workflowId() == job.terms().workflowId()
            ? new Next(State.QUEUED, tries, 0, false, 2)
            : null;
      }
    };
  }

  private static @Nullable Next intended(Job job, Report.Intend intend) {
    String provider = Objects.requireNonNull(job.lease()).provider();
    if (intend.provider().equals(provider)) {
      return same(job);
    }
    return provider == null && job.state() == State.RUNNING
        ? new Next(job.state(), job.tries(), 0, false, 0)
        : null;
  }

  private static @Nullable Next accepted(Job job) {
    if (Objects.requireNonNull(job.lease()).provider() == null) {
      return null;
    }
    boolean asked = String.valueOf(job.progress().message()).startsWith("Asking the provider");
    return switch (job.state()) {
      case RUNNING -> new Next(State.SUBMITTED, job.tries(), 0, false);
      case SUBMITTED -> asked ? new Next(State.SUBMITTED, job.tries(), 0, false) : same(job);
      case CANCELING -> same(job);
      default -> null;
    };
  }

  private static @Nullable Next unconfirmed(Job job, Report.Unconfirmed report) {
    String provider = Objects.requireNonNull(job.lease()).provider();
    if (provider != null && !provider.equals(report.provider())) {
      return null;
    }
    return switch (job.state()) {
      case RUNNING -> new Next(State.SUBMITTED, job.tries(), 0, false);
      case CANCELING -> new Next(job.state(), job.tries(), 0, false, 0);
      default -> null;
    };
  }

  /** Stopped as its owner wished: what is sold by time is paid for the time. */
  private static Next stopped(Job job, Instant now) {
    return end(job, State.CANCELED, Prices.stopped(job, now));
  }

  private static Next same(Job job) {
    return new Next(job.state(), job.tries(), 0, true);
  }

  private static Next end(Job job, State state, long kept) {
    return new Next(state, job.tries(), kept, false);
  }

  private static Next completed(Job job, Report.Complete complete, Instant now) {
    if (job.terms().rules().review()) {
      return job.state() == State.CANCELING
          ? stopped(job, now)
          : new Next(State.WAITING_REVIEW, job.tries(), 0, false);
    }
    long units = Prices.units(job, complete.outputs().size(), now);
    return end(job, State.COMPLETED, Prices.charge(job, units));
  }

  private static Next failed(Job job, Report.Fail fail) {
    return switch (fail.kind()) {
      case PERMANENT -> end(job, State.FAILED, 0);
      case SAFETY ->
          end(job, State.REJECTED, job.terms().rules().safetyRefund() ? 0 : job.hold().amount());
      case RETRYABLE -> {
        Tries tries = job.tries().failed();
        boolean last = tries.failures() == tries.maxFailures();
        yield new Next(last ? State.DEAD_LETTER : State.PENDING, tries, 0, false);
      }
    };
  }

  /** Nobody may put back what a provider has. */
  private static @Nullable Next interrupted(Job job) {
    return job.state() == State.SUBMITTED ? null : interruptedOnce(job);
  }

  private static Next interruptedOnce(Job job) {
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
    if (job.state() == State.SUBMITTED) {
      int count = job.tries().interruptions() + 1;
      boolean last = !lost.abandoned() && count == job.tries().maxInterruptions();
      return last ? interruptedOnce(job) : same(job);
    }
    return job.state() == State.CANCELING ? stopped(job, now) : interruptedOnce(job);
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
        after.id().equals(before.id())
            && after
                .terms()
                .equals(
                    report instanceof Report.Reroute reroute
                        ? before.terms().in(reroute.to())
                        : before.terms()),
        "a job's terms never change, but for a queue that it is sent to",
        before,
        after);
    boolean open = next.state.live();
    require(
        after.hold().open() == open
            && after.hold().amount() == before.hold().amount()
            && after.hold().fundingSeq() == before.hold().fundingSeq() + funding(report)
            && after.hold().captured() == (open ? 0 : next.kept),
        "a report takes what it may of the hold",
        report,
        next,
        after);
    lease(before, report, after, now);
    times(before, report, next, after, now);
    afterEnd(before, report, after);
  }

  private static void afterEnd(Job before, Report report, Job after) {
    boolean deleted = report instanceof Report.Delete || before.afterEnd().deleted();
    boolean overturned = report instanceof Report.Overturn || before.afterEnd().overturned();
    require(
        after.afterEnd().deleted() == deleted && after.afterEnd().overturned() == overturned,
        "what is over stays over",
        report,
        after);
  }

  private Lease renewed(Lease lease, Report report, boolean moved, Instant now) {
    Instant extended = now.plus(timings.lease());
    return switch (report) {
      case Report.Heartbeat _ when extended.isAfter(lease.expiresAt()) -> lease.until(extended);
      case Report.Intend intend -> lease.intending(intend.provider());
      case Report.Unconfirmed unconfirmed -> {
        Lease asking = lease.intending(unconfirmed.provider());
        yield moved ? asking.until(now.plus(timings.callback())) : asking;
      }
      case Report.Accept _ when moved -> lease.until(now.plus(timings.callback()));
      case Report.Made _ -> lease.until(fetched(lease.expiresAt(), now));
      default -> lease;
    };
  }

  private static int funding(Report report) {
    return report instanceof Report.RetryInPlace ? 1 : 0;
  }

  private void lease(Job before, Report report, Job after, Instant now) {
    Lease held = after.state().executing() ? before.lease() : null;
    boolean moved = after.state() != before.state();
    Lease expected = held == null ? null : renewed(held, report, moved, now);
    require(
        Objects.equals(after.lease(), expected),
        "a lease ends with the attempt",
        report,
        after,
        now);
  }

  private void times(Job before, Report report, Next next, Job after, Instant now) {
    boolean moved = after.state() != before.state();
    int events = after.events() - before.events();
    boolean beat = report instanceof Report.Heartbeat && events == 0;
    require(events == next.events || beat, "each step leaves one event", before, report, after);
    if (report instanceof Report.Heartbeat heartbeat) {
      require(
          after
              .progress()
              .equals(
                  isMade(before) ? before.progress() : heartbeat.told().after(before.progress())),
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
    Instant kept = before.times().deadlineAt();
    Instant unmoved = report instanceof Report.Made ? fetched(kept, now) : kept;
    Instant deadline = renewed ? deadline(after, now) : unmoved;
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
    int patience = job.terms().queueSeconds();
    return switch (job.state()) {
      case PENDING -> job.times().dueAt().plusSeconds(patience);
      case QUEUED -> now.plusSeconds(patience);
      case RUNNING -> now.plusSeconds(job.terms().runSeconds());
      case SUBMITTED -> now.plus(timings.callback());
      case WAITING_REVIEW -> now.plus(timings.review());
      case CANCELING -> now.plus(timings.cancelGrace());
      default -> null;
    };
  }
}
