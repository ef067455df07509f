package dev.millrace.engine.job;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Hold;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job at one moment.
 *
 * @param events how many events it has; the newest has this number
 * @param delivered how many units of its price the newest result has
 * @param lease present while running, submitted or canceling
 */
public record Job(
    JobId id,
    JobTerms terms,
    State state,
    int events,
    Progress progress,
    Summary summary,
    Tries tries,
    Hold hold,
    long delivered,
    Times times,
    @Nullable Lease lease,
    @Nullable Failure failure,
    AfterEnd afterEnd) {

  public Job {
    if (state.terminal() != (times.deadlineAt() == null)) {
      throw new IllegalStateException(id + ": a live job has a deadline, a terminal one has none");
    }
    if (lease != null && !state.executing()) {
      throw new IllegalStateException(id + ": leased while " + state.label());
    }
    if (state.live() && (afterEnd.deleted() || afterEnd.overturned())) {
      throw new IllegalStateException(id + ": alive, and yet " + afterEnd);
    }
  }

  /** True for the token of a lease that has not been lost, ended or replaced. */
  public boolean leasedBy(UUID token, Instant now) {
    return lease != null && lease.token().equals(token) && now.isBefore(lease.expiresAt());
  }

  public Job with(Progress other) {
    return copy(state, events, other, summary, tries, hold, delivered, times, lease, failure);
  }

  public Job with(Summary other) {
    return copy(state, events, progress, other, tries, hold, delivered, times, lease, failure);
  }

  public Job with(Tries other) {
    return copy(state, events, progress, summary, other, hold, delivered, times, lease, failure);
  }

  public Job with(Hold other) {
    return copy(state, events, progress, summary, tries, other, delivered, times, lease, failure);
  }

  public Job delivering(long units) {
    return copy(state, events, progress, summary, tries, hold, units, times, lease, failure);
  }

  public Job failing(@Nullable Failure other) {
    return copy(state, events, progress, summary, tries, hold, delivered, times, lease, other);
  }

  public Job leased(@Nullable Lease other) {
    return copy(state, events, progress, summary, tries, hold, delivered, times, other, failure);
  }

  /** The same job after one more event at this time. */
  public Job counted(Instant at) {
    return copy(
        state,
        events + 1,
        progress,
        summary,
        tries,
        hold,
        delivered,
        times.changed(at),
        lease,
        failure);
  }

  /** In another state, with what belongs to that state. */
  public Job in(State other, Times otherTimes, @Nullable Lease otherLease) {
    return copy(
        other, events, progress, summary, tries, hold, delivered, otherTimes, otherLease, failure);
  }

  public Job with(JobTerms other) {
    return new Job(
        id, other, state, events, progress, summary, tries, hold, delivered, times, lease, failure,
        afterEnd);
  }

  public Job with(AfterEnd other) {
    return new Job(
        id, terms, state, events, progress, summary, tries, hold, delivered, times, lease, failure,
        other);
  }

  private Job copy(
      State newState,
      int newEvents,
      Progress newProgress,
      Summary newSummary,
      Tries newTries,
      Hold newHold,
      long newDelivered,
      Times newTimes,
      @Nullable Lease newLease,
      @Nullable Failure newFailure) {
    return new Job(
        id,
        terms,
        newState,
        newEvents,
        newProgress,
        newSummary,
        newTries,
        newHold,
        newDelivered,
        newTimes,
        newLease,
        newFailure,
        afterEnd);
  }
}
