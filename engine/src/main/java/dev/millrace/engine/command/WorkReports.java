package dev.millrace.engine.command;

import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.command.WorkingSet.Target;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.job.Times;
import dev.millrace.engine.job.Tries;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Price;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What each report means for a job that is locked. */
final class WorkReports {

  private static final int REVIEW_PERCENT = 90;
  private static final Duration MAX_RETRY_AFTER = Duration.ofDays(1);
  private static final String WAITING = "Waiting for a worker";

  private final WorkingSet set;
  private final Transitions moves;
  private final Timings timings;
  private final Creation creation;

  WorkReports(WorkingSet set, Transitions moves, Timings timings, Creation creation) {
    this.set = set;
    this.moves = moves;
    this.timings = timings;
    this.creation = creation;
  }

  Result heartbeat(Job job, Report.Heartbeat heartbeat) {
    Lease lease = job.lease();
    if (lease == null) {
      throw new IllegalStateException(job.id() + " has no lease to extend");
    }
    // A provider's callback has longer than a lease; a heartbeat never shortens what was granted.
    Instant extended = set.now().plus(timings.lease());
    Job alive = job.leased(extended.isAfter(lease.expiresAt()) ? lease.until(extended) : lease);
    // Whatever else is said of work whose result was made, it is made.
    Progress progress =
        Handover.isMade(job) ? job.progress() : heartbeat.told().after(job.progress());
    Summary summary = job.summary().mergeReported(heartbeat.summary());
    if (progress.equals(job.progress()) && summary.equals(job.summary())) {
      return new Result.Done(set.touch(alive));
    }
    return new Result.Done(set.report(alive.with(progress).with(summary)));
  }

  Result complete(Job job, Report.Complete complete) {
    if (job.terms().rules().review() && job.state() == State.CANCELING) {
      // Its owner gave it up, so nobody will review it; unreviewed, nobody may have it.
      return acknowledgeCancel(job);
    }
    Job told =
        job.with(job.summary().mergeReported(complete.summary()))
            .failing(null)
            .delivering(units(job, complete.outputs().size()));
    Result result =
        job.terms().rules().review()
            ? moves.move(
                awaitingReview(told, complete.outputs().size()),
                Trigger.COMPLETE,
                moves.waiting(State.WAITING_REVIEW, job, timings.review()))
            : moves.end(
                told.with(new Progress(100, "done", "Completed")),
                Trigger.COMPLETE,
                State.COMPLETED);
    if (result instanceof Result.Done) {
      set.store(job, complete.outputs());
      set.end(job, "completed", null);
    }
    return result;
  }

  private static Job awaitingReview(Job job, int items) {
    SortedMap<String, String> counts = new TreeMap<>();
    counts.put("items", "" + items);
    counts.put("remaining", "" + items);
    counts.put(ReviewReports.REASONS, Summary.REMOVE); // Nobody has declined anything of it yet.
    int percent = Math.max(REVIEW_PERCENT, job.progress().percent());
    return job.with(job.summary().merge(new Summary(counts)))
        .with(new Progress(percent, "review", "Waiting for review"));
  }

  Result fail(Job job, Report.Fail fail) {
    if (job.state() == State.CANCELING && fail.kind() != Report.Fail.Kind.SAFETY) {
      return acknowledgeCancel(job);
    }
    Job failing = job.failing(fail.failure());
    Result result =
        switch (fail.kind()) {
          case RETRYABLE -> failRetryably(failing, fail);
          case PERMANENT ->
              moves.end(
                  Transitions.saying(failing, fail.failure().message()),
                  Trigger.PERMANENT_ERROR,
                  State.FAILED);
          case SAFETY ->
              moves.end(
                  Transitions.saying(failing, fail.failure().message()),
                  Trigger.SAFETY_FILTER,
                  State.REJECTED);
        };
    if (result instanceof Result.Done) {
      set.end(job, outcome(fail.kind()), fail.failure().message());
      if (fail.kind() == Report.Fail.Kind.SAFETY) {
        set.audit(job, "system", "SAFE_BLOCK", blocked(job, fail));
      }
    }
    return result;
  }

  /** All that somebody needs who has to decide what to do about it. */
  private static Map<String, String> blocked(Job job, Report.Fail fail) {
    SortedMap<String, String> detail = new TreeMap<>();
    detail.put("code", fail.failure().code());
    detail.put("attempt", "" + job.tries().attempts());
    Report.Fail.Refusal refusal = fail.refusal();
    if (refusal != null) {
      detail.put("category", refusal.category());
      detail.put("rule", refusal.rule());
      detail.put("provider", refusal.provider());
    }
    return detail;
  }

  private static String outcome(Report.Fail.Kind kind) {
    return switch (kind) {
      case RETRYABLE, PERMANENT -> "failed";
      case SAFETY -> "rejected";
    };
  }

  private Result failRetryably(Job job, Report.Fail fail) {
    Tries tries = job.tries().failed();
    String why = fail.failure().message();
    if (tries.failuresUsedUp()) {
      return moves.end(
          Transitions.saying(job.with(tries), "Tries used up. " + why),
          Trigger.RETRYABLE_ERROR,
          State.DEAD_LETTER);
    }
    Duration backoff = timings.backoff().after(tries.failures(), fail.jitter());
    Duration wait = fail.retryAfter() == null ? backoff : bounded(fail.retryAfter());
    Instant due = set.now().plus(wait);
    Times times = job.times().due(due, due.plusSeconds(job.terms().queueSeconds()));
    String message =
        "Attempt %d failed: %s Next try in %d s"
            .formatted(job.tries().attempts(), why, Math.max(1, wait.toSeconds()));
    return moves.move(
        Transitions.saying(job.with(tries), message),
        Trigger.RETRYABLE_ERROR,
        new Target(State.PENDING, times, null));
  }

  /** What the other side asked for, unless it is nonsense that no clock can count to. */
  private static Duration bounded(Duration retryAfter) {
    if (retryAfter.isNegative()) {
      return Duration.ZERO;
    }
    return retryAfter.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : retryAfter;
  }

  Result requeue(Job job, Report.Requeue requeue) {
    return job.state() == State.CANCELING
        ? acknowledgeCancel(job)
        : interrupt(job, Trigger.REQUEUE, "requeued", requeue.reason());
  }

  Result acknowledgeCancel(Job job) {
    if (job.state() != State.CANCELING) {
      return interrupt(job, Trigger.REQUEUE, "requeued", "the worker stopped by itself");
    }
    return endCanceled(job, Trigger.CANCEL_ACKNOWLEDGED);
  }

  Result cancel(Job job, Report.Cancel cancel) {
    Result result = cancel(job);
    if (cancel.actor() != null
        && result instanceof Result.Done(Job after)
        && after.state() != job.state()) {
      set.audit(job, cancel.actor(), "job.cancel", Map.of());
    }
    return result;
  }

  private Result cancel(Job job) {
    return switch (job.state()) {
      case CANCELING -> new Result.Done(job);
      case RUNNING, SUBMITTED ->
          moves.move(
              job.with(job.progress().saying("canceling", "Canceling")),
              Trigger.CANCEL,
              new Target(
                  State.CANCELING,
                  job.times().deadline(set.now().plus(timings.cancelGrace())),
                  job.lease()));
      case PENDING,
          QUEUED,
          WAITING_REVIEW,
          COMPLETED,
          FAILED,
          DEAD_LETTER,
          REJECTED,
          CANCELED,
          EXPIRED,
          BLOCKED ->
          moves.end(
              Transitions.saying(job, "Canceled").delivering(0), Trigger.CANCEL, State.CANCELED);
    };
  }

  /** Rechecked under the lock: a heartbeat or a result may have come first. */
  Result loseLease(Job job, Report.LoseLease lost) {
    Lease lease = job.lease();
    boolean over = lost.abandoned() || (lease != null && !set.now().isBefore(lease.expiresAt()));
    if (lease == null || !lease.token().equals(lost.token()) || !over) {
      return new Result.Done(job);
    }
    if (job.state() == State.SUBMITTED) {
      return loseSubmitted(job, lost);
    }
    return job.state() == State.CANCELING
        ? endCanceled(job, Trigger.GRACE_OVER)
        : interrupt(job, Trigger.LEASE_LOST, "lease_lost", "its worker went silent");
  }

  /**
   * The provider may still deliver, and nobody may submit it again: the callback's deadline ends
   * it. Only a job whose tries are used up is given up here. That a worker is gone says nothing.
   */
  private Result loseSubmitted(Job job, Report.LoseLease lost) {
    return !lost.abandoned() && job.tries().interrupted().interruptionsUsedUp()
        ? interrupt(job, Trigger.LEASE_LOST, "lease_lost", "its provider went silent")
        : new Result.Done(job);
  }

  /** Rechecked under the lock. */
  Result missDeadline(Job job) {
    Instant deadline = job.times().deadlineAt();
    if (deadline == null || set.now().isBefore(deadline)) {
      return new Result.Done(job);
    }
    if (job.state() == State.CANCELING) {
      return endCanceled(job, Trigger.GRACE_OVER);
    }
    String message =
        Handover.isMade(job)
            ? "Its result could not be fetched in time"
            : "Took too long while " + job.state().label().replace('_', ' ');
    Result result =
        moves.end(
            Transitions.saying(job.failing(new Failure("deadline", message)), message)
                .delivering(0),
            Trigger.DEADLINE,
            State.EXPIRED);
    if (result instanceof Result.Done && job.lease() != null) {
      set.end(job, "expired", message);
    }
    return result;
  }

  Result promote(Job job) {
    if (job.state() != State.PENDING || set.now().isBefore(job.times().dueAt())) {
      return new Result.Done(job);
    }
    if (job.tries().attempts() == 0 && job.hold().fundingSeq() <= 1) {
      // It was scheduled. What waits for another try keeps its place: it has lined up before.
      set.place(job, creation.place(job));
    }
    return moves.move(
        job.with(new Progress(0, null, WAITING)),
        Trigger.DUE,
        new Target(State.QUEUED, job.times(), null));
  }

  /** Its deadline stays: it has waited since it came, wherever that was. */
  Result reroute(Job job, Report.Reroute reroute) {
    if (job.state() != State.QUEUED
        || job.terms().workflowId() != reroute.from()
        || job.tries().attempts() != reroute.attempts()) {
      return new Result.Done(job);
    }
    Job moved = Transitions.saying(job.with(job.terms().in(reroute.to())), reroute.message());
    set.place(moved, creation.place(moved));
    return new Result.Done(set.report(moved));
  }

  private Result interrupt(Job job, Trigger trigger, String outcome, String reason) {
    Tries tries = job.tries().interrupted();
    boolean dead = tries.interruptionsUsedUp();
    String message = "Attempt %d was interrupted: %s".formatted(job.tries().attempts(), reason);
    Job told =
        Transitions.saying(job.with(tries), message)
            .failing(dead ? new Failure("interrupted", message) : null);
    Result result =
        dead
            ? moves.end(told, trigger, State.DEAD_LETTER)
            : moves.move(
                told.with(told.progress().withPercent(0)),
                trigger,
                moves.waiting(State.QUEUED, job, Duration.ofSeconds(job.terms().queueSeconds())));
    if (result instanceof Result.Done) {
      set.end(job, outcome, reason);
    }
    return result;
  }

  private Result endCanceled(Job job, Trigger trigger) {
    Job stopped = metered(job) ? job.delivering(job.secondsUsed(set.now())) : job;
    Result result = moves.end(Transitions.saying(stopped, "Canceled"), trigger, State.CANCELED);
    if (result instanceof Result.Done) {
      set.end(job, "canceled", null);
    }
    return result;
  }

  /** How many units of its price a result has. */
  private long units(Job job, int outputs) {
    return metered(job) ? job.secondsUsed(set.now()) : outputs;
  }

  private static boolean metered(Job job) {
    return job.terms().rules().price().unit() == Price.Unit.SECOND;
  }
}
