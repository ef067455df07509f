package dev.millrace.postgres.history;

import dev.millrace.engine.lifecycle.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One line of a job's history. */
public record EventView(
    int seq,
    @Nullable String trigger,
    @Nullable State fromState,
    State state,
    Report report,
    int attempt,
    Instant at) {

  /** How far the job was then, as whoever ran it said. */
  public record Report(
      int progress, @Nullable String step, @Nullable String message, @Nullable String summary) {}
}
