package dev.millrace.contract.provider;

import java.time.Duration;

/** What a service says about a submit whose answer was lost. */
public sealed interface Finding {

  /** It was taken, under this reference. */
  record Found(String reference) implements Finding {
    public Found {
      reference = Reference.checked(reference);
    }
  }

  /** It surely left nothing behind, and nothing will appear: it may be submitted again. */
  record Absent() implements Finding {}

  /**
   * The service can't say, or not yet.
   *
   * @param askAfter when asking again makes sense; bounded like {@link Standing.Going#askAfter()}
   */
  record Unknown(String message, Duration askAfter) implements Finding {
    public Unknown {
      askAfter = Pace.bounded(askAfter);
    }

    /** Said by services that have no way to be asked. */
    public static Unknown forEver(String message) {
      return new Unknown(message, Pace.LONGEST);
    }
  }
}
