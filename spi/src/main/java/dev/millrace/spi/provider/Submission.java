package dev.millrace.spi.provider;

import java.time.Duration;

/** What came of handing an attempt over. */
public sealed interface Submission {

  /**
   * The service took the work.
   *
   * @param reference the service's own name for it; {@link AsyncProvider#verify} uses the same
   * @param askAfter when the first {@link AsyncProvider#collect} makes sense; bounded like {@link
   *     Standing.Going#askAfter()}
   */
  record Accepted(String reference, Duration askAfter) implements Submission {
    public Accepted {
      reference = Reference.checked(reference);
      askAfter = Pace.bounded(askAfter);
    }
  }

  /** The service took the work, and it is over already. */
  record Finished(String reference, Outcome outcome, Usage usage) implements Submission {
    public Finished {
      reference = Reference.checked(reference);
      if (outcome instanceof Outcome.Uncertain) {
        throw new IllegalArgumentException("what is finished is not uncertain");
      }
    }
  }

  /**
   * The service did not take the work; or, with {@link Outcome.Uncertain}, nobody knows whether it
   * did, and {@link AsyncProvider#find} has to say.
   */
  record Declined(Outcome outcome) implements Submission {
    public Declined {
      if (outcome instanceof Outcome.Succeeded || outcome instanceof Outcome.Canceled) {
        throw new IllegalArgumentException("declined work has not ended: " + outcome);
      }
    }
  }
}
