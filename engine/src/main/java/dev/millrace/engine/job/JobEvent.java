package dev.millrace.engine.job;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One append-only line of a job's history.
 *
 * @param seq gap-free from 1 within the job
 * @param summary the whole of it, after the event; null if it is not repeated here, because it is
 *     large and the job has told much already
 */
public record JobEvent(
    JobId job,
    int seq,
    Move move,
    Progress progress,
    @Nullable Summary summary,
    int attempt,
    Instant at) {

  /**
   * Which way the job went.
   *
   * @param trigger null for a report of progress, which moves nothing
   * @param from null for the first event
   */
  public record Move(@Nullable Trigger trigger, @Nullable State from, State to) {}

  public @Nullable Trigger trigger() {
    return move.trigger;
  }

  public @Nullable State from() {
    return move.from;
  }

  /** Where the job is after it. */
  public State state() {
    return move.to;
  }

  public boolean transition() {
    return move.trigger != null;
  }

  /** The event that a job's newest snapshot stands for. A transition tells all of it. */
  public static JobEvent of(Job after, @Nullable Trigger trigger, @Nullable State from) {
    boolean repeated = trigger != null || after.summary().repeatedBy(after.events());
    return new JobEvent(
        after.id(),
        after.events(),
        new Move(trigger, from, after.state()),
        after.progress(),
        repeated ? after.summary() : null,
        after.tries().attempts(),
        after.times().changedAt());
  }
}
