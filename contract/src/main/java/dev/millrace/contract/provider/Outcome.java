package dev.millrace.contract.provider;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** How an attempt ended. What that means for the job and its money is not the provider's matter. */
public sealed interface Outcome {

  /**
   * The work is done.
   *
   * @param outputs at least one
   * @param summary small facts for the job's summary, plain JSON values
   */
  record Succeeded(List<Output> outputs, Map<String, Object> summary) implements Outcome {
    public Succeeded {
      outputs = List.copyOf(outputs);
      summary = Map.copyOf(summary);
      if (outputs.isEmpty()) {
        throw new IllegalArgumentException("succeeded without an output");
      }
    }
  }

  /** A safety filter refused. Never retried. */
  record Rejected(String category) implements Outcome {
    public Rejected {
      Objects.requireNonNull(category, "category");
    }
  }

  /** Asked too often; try again, not before {@code retryAfter} if the other side named one. */
  record Throttled(Optional<Duration> retryAfter) implements Outcome {}

  /** The other side can't serve now, or broke down on the way; another try may succeed. */
  record Unavailable(String message, Optional<Duration> retryAfter) implements Outcome {}

  /** This input can never succeed here. Not retried. */
  record Failed(String message) implements Outcome {}

  /** A call may or may not have been accepted: it is reconciled, never blindly sent again. */
  record Uncertain(String message) implements Outcome {}

  /** The work stopped because it was asked to: by {@link Work#canceled()}, or by a cancel. */
  record Canceled() implements Outcome {}
}
