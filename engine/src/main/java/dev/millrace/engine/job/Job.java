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
 * @param lease present while running, submitted or canceling
 */
public record Job(
    JobId id,
    Facts facts,
    State state,
    int events,
    Progress progress,
    Summary summary,
    Tries tries,
    Hold hold,
    Times times,
    @Nullable Lease lease,
    @Nullable Failure failure) {

  public Job {
    if (state.terminal() != (times.deadlineAt() == null)) {
      throw new IllegalStateException(id + ": a live job has a deadline, a terminal one has none");
    }
    if (lease != null && !state.executing()) {
      throw new IllegalStateException(id + ": leased while " + state.label());
    }
  }

  /** True for the token of a lease that has not been lost, ended or replaced. */
  public boolean leasedBy(UUID token, Instant now) {
    return lease != null && lease.token().equals(token) && now.isBefore(lease.expiresAt());
  }

  public Job with(Progress other) {
    return new Job(id, facts, state, events, other, summary, tries, hold, times, lease, failure);
  }

  public Job with(Summary other) {
    return new Job(id, facts, state, events, progress, other, tries, hold, times, lease, failure);
  }

  public Job with(Tries other) {
    return new Job(id, facts, state, events, progress, summary, other, hold, times, lease, failure);
  }

  public Job with(Hold other) {
    return new Job(
        id, facts, state, events, progress, summary, tries, other, times, lease, failure);
  }

  public Job failing(@Nullable Failure other) {
    return new Job(id, facts, state, events, progress, summary, tries, hold, times, lease, other);
  }

  public Job leased(@Nullable Lease other) {
    return new Job(id, facts, state, events, progress, summary, tries, hold, times, other, failure);
  }

  /** The same job after one more event at this time. */
  public Job counted(Instant at) {
    return new Job(
        id,
        facts,
        state,
        events + 1,
        progress,
        summary,
        tries,
        hold,
        times.changed(at),
        lease,
        failure);
  }

  /** In another state, with what belongs to that state. */
  public Job in(State other, Times otherTimes, @Nullable Lease otherLease) {
    return new Job(
        id, facts, other, events, progress, summary, tries, hold, otherTimes, otherLease, failure);
  }
}
