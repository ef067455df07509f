package dev.millrace.spi.provider;

import java.time.Duration;
import java.time.Instant;

/** What a service says about a submit whose answer was lost. */
public sealed interface Finding {

  /** It was taken, under this reference. */
  record Found(String reference) implements Finding {
    public Found {
      reference = Reference.checked(reference);
    }
  }

  /**
   * It left nothing behind as far as the service knows: the job may be submitted again. Never said
   * before the provider's settling time has passed since {@link Order#lastSubmitAt()}. Before each
   * further submit of the job it is asked again, since work can show up even later.
   */
  record Absent() implements Finding {}

  /**
   * What it means that a service's list, read to its end, does not have the order's work: nothing
   * yet while the latest submit is younger than the settling time, and that it is absent then.
   */
  static Finding notListed(Order order, Duration settlingTime, Instant now) {
    Duration age = Duration.between(order.lastSubmitAt(), now);
    return age.compareTo(settlingTime) < 0
        ? new Unknown("It is too early to say.", settlingTime.minus(age))
        : new Absent();
  }

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
