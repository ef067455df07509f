package dev.millrace.engine.job;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.SettlementTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job at one moment. */
public record Job(
    JobId id,
    JobTerms terms,
    State state,
    History history,
    Work work,
    Hold hold,
    Times times,
    Ending ending) {

  /**
   * What was told of it.
   *
   * @param events how many events it has; the newest has this number
   */
  public record History(int events, Progress progress, Summary summary) {}

  /**
   * Who does it, and what came of it.
   *
   * @param lease present while running, submitted or canceling
   * @param delivered how many units of its price the newest result has; once the job is over, how
   *     many of them its owner got
   */
  public record Work(Tries tries, @Nullable Lease lease, long delivered) {}

  /** Why it ended badly, if it did, and what happened to it since. */
  public record Ending(@Nullable Failure failure, AfterEnd afterEnd) {}

  public Job {
    if (state.terminal() != (times.deadlineAt() == null)) {
      throw new IllegalStateException(id + ": a live job has a deadline, a terminal one has none");
    }
    if (work.lease != null && !state.executing()) {
      throw new IllegalStateException(id + ": leased while " + state.label());
    }
    if (state.live() && (ending.afterEnd.deleted() || ending.afterEnd.overturned())) {
      throw new IllegalStateException(id + ": alive, and yet " + ending.afterEnd);
    }
  }

  public int events() {
    return history.events;
  }

  public Progress progress() {
    return history.progress;
  }

  public Summary summary() {
    return history.summary;
  }

  public Tries tries() {
    return work.tries;
  }

  public @Nullable Lease lease() {
    return work.lease;
  }

  public long delivered() {
    return work.delivered;
  }

  public @Nullable Failure failure() {
    return ending.failure;
  }

  public AfterEnd afterEnd() {
    return ending.afterEnd;
  }

  /** True for the token of a lease that has not been lost, ended or replaced. */
  public boolean leasedBy(UUID token, Instant now) {
    Lease lease = work.lease;
    return lease != null && lease.token().equals(token) && now.isBefore(lease.expiresAt());
  }

  /** Begun seconds of the newest attempt, up to now. */
  public long secondsUsed(Instant now) {
    Instant started = times.startedAt();
    if (started == null) {
      return 0;
    }
    Duration used = Duration.between(started, now);
    return used.isNegative() ? 0 : used.plusNanos(999_999_999).toSeconds();
  }

  /**
   * What the settlement of its hold is reckoned from.
   *
   * @param before the job as it was before what happens to it now
   */
  public SettlementTerms settlementTerms(Job before, Instant now) {
    JobTerms.Rules rules = terms.rules();
    return new SettlementTerms(
        hold.amount(),
        rules.price(),
        new SettlementTerms.Units(before.work.delivered, work.delivered, secondsUsed(now)),
        rules.safetyRefund(),
        rules.declineConsumes());
  }

  public Job with(Progress other) {
    return with(new History(history.events, other, history.summary));
  }

  public Job with(Summary other) {
    return with(new History(history.events, history.progress, other));
  }

  public Job with(Tries other) {
    return with(new Work(other, work.lease, work.delivered));
  }

  public Job with(Hold other) {
    return new Job(id, terms, state, history, work, other, times, ending);
  }

  public Job delivering(long units) {
    return with(new Work(work.tries, work.lease, units));
  }

  public Job failing(@Nullable Failure other) {
    return with(new Ending(other, ending.afterEnd));
  }

  public Job leased(@Nullable Lease other) {
    return with(new Work(work.tries, other, work.delivered));
  }

  /** The same job after one more event at this time. */
  public Job counted(Instant at) {
    History counted = new History(history.events + 1, history.progress, history.summary);
    return new Job(id, terms, state, counted, work, hold, times.changed(at), ending);
  }

  /** In another state, with what belongs to that state. */
  public Job in(State other, Times otherTimes, @Nullable Lease otherLease) {
    Work otherWork = new Work(work.tries, otherLease, work.delivered);
    return new Job(id, terms, other, history, otherWork, hold, otherTimes, ending);
  }

  public Job with(JobTerms other) {
    return new Job(id, other, state, history, work, hold, times, ending);
  }

  public Job with(AfterEnd other) {
    return with(new Ending(ending.failure, other));
  }

  private Job with(History other) {
    return new Job(id, terms, state, other, work, hold, times, ending);
  }

  private Job with(Work other) {
    return new Job(id, terms, state, history, other, hold, times, ending);
  }

  private Job with(Ending other) {
    return new Job(id, terms, state, history, work, hold, times, other);
  }
}
