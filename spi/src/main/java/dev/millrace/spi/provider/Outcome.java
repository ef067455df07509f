package dev.millrace.spi.provider;

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

  /**
   * The other side can't serve now, and did not take the work; another try may succeed. Too many of
   * these keep everybody's work away from the provider for a while.
   */
  record Unavailable(String message, Optional<Duration> retryAfter) implements Outcome {}

  /** This input can never succeed here. Not retried. */
  record Failed(String message) implements Outcome {}

  /**
   * The other side works, and what it gave for this input is of no use, such as prose where JSON
   * was asked for. Another try may succeed. It says nothing against the provider, so that nobody's
   * input can keep others from it.
   */
  record BadAnswer(String message) implements Outcome {}

  /**
   * A call may or may not have been accepted: it is reconciled, never blindly sent again. Whatever
   * isn't a clear "not accepted" is this: a timeout, a cut, an answer that can't be read, any 5xx.
   *
   * @param retryAfter the pause that the other side asked for, if it did: nothing is to be sent
   *     before, and it is no promise that something may be sent then
   * @param trouble whether it speaks against the provider, and with others keeps everybody's work
   *     away from it; false for what one input, or this server, can bring about again and again
   */
  record Uncertain(String message, Optional<Duration> retryAfter, boolean trouble)
      implements Outcome {
    public Uncertain(String message, Optional<Duration> retryAfter) {
      this(message, retryAfter, true);
    }

    public Uncertain(String message) {
      this(message, Optional.empty());
    }

    /** One that says nothing against the provider, such as a model that thinks for too long. */
    public static Uncertain blameless(String message) {
      return new Uncertain(message, Optional.empty(), false);
    }
  }

  /** The work stopped because it was asked to: by {@link Work#canceled()}, or by a cancel. */
  record Canceled() implements Outcome {}
}
