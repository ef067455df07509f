package dev.millrace.spi.provider;

import java.time.Duration;
import java.util.OptionalInt;

/** How work at an outside service stands. */
public sealed interface Standing {

  /**
   * It goes on.
   *
   * @param percent 0 to 100 if the service tells; other values are clamped
   * @param step a short machine-friendly name such as {@code processing}
   * @param message a short sentence for people
   * @param askAfter when asking again makes sense; clamped to 1 second up to 5 minutes
   */
  record Going(OptionalInt percent, String step, String message, Duration askAfter)
      implements Standing {
    private static final int ALL = 100;

    public Going {
      askAfter = Pace.bounded(askAfter);
      if (percent.isPresent()) {
        percent = OptionalInt.of(Math.clamp(percent.getAsInt(), 0, ALL));
      }
    }
  }

  /** It is over. */
  record Ended(Outcome outcome, Usage usage) implements Standing {
    public Ended {
      if (outcome instanceof Outcome.Uncertain) {
        throw new IllegalArgumentException("what has ended is not uncertain");
      }
    }
  }

  /**
   * The service did not answer, or not in words that can be read. The work may be going well.
   *
   * @param askAfter when asking again makes sense; bounded like {@link Going#askAfter()}
   */
  record NoAnswer(String message, Duration askAfter) implements Standing {
    public NoAnswer {
      askAfter = Pace.bounded(askAfter);
    }
  }

  /**
   * The service answers that it has no such work, though it once took it. That may pass, as when a
   * replica lags behind or a gateway answers for it: only who has asked several times over some
   * minutes believes it, and then the work counts as lost.
   *
   * @param askAfter when asking again makes sense; bounded like {@link Going#askAfter()}
   */
  record Missing(String message, Duration askAfter) implements Standing {
    public Missing {
      askAfter = Pace.bounded(askAfter);
    }
  }
}
