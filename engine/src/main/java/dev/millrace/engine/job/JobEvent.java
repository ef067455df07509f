package dev.millrace.engine.job;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One append-only line of a job's history.
 *
 * @param seq gap-free from 1 within the job
 * @param trigger null for a report of progress, which moves nothing
 * @param from null for the first event
 */
public record JobEvent(
    JobId job,
    int seq,
    @Nullable Trigger trigger,
    @Nullable State from,
    State state,
    Progress progress,
    Summary summary,
    int attempt,
    Instant at) {

  public boolean transition() {
    return trigger != null;
  }

  /** The event that a job's newest snapshot stands for. */
  public static JobEvent of(Job after, @Nullable Trigger trigger, @Nullable State from) {
    return new JobEvent(
        after.id(),
        after.events(),
        trigger,
        from,
        after.state(),
        after.progress(),
        after.summary(),
        after.tries().attempts(),
        after.times().changedAt());
  }
}
