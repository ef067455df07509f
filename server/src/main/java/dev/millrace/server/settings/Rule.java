package dev.millrace.server.settings;

import java.time.Duration;
import java.util.Optional;

/** A law between two settings: the first is at least so many times the second. */
record Rule(Setting<?> larger, int factor, Setting<?> smaller, String because) {

  /** A setting whose own value was refused takes part in no rule: one mistake, one message. */
  Optional<String> mistake(Values values) {
    return values
        .find(larger)
        .flatMap(one -> values.find(smaller).flatMap(other -> mistake(one, other)));
  }

  private Optional<String> mistake(Values.Resolved one, Values.Resolved other) {
    if (magnitude(one) >= factor * magnitude(other)) {
      return Optional.empty();
    }
    return Optional.of(
        "%s (%s) must be at least %s%s (%s): %s"
            .formatted(
                one.label(),
                one.shown(),
                factor == 1 ? "" : factor + " times ",
                other.label(),
                other.shown(),
                because));
  }

  private static long magnitude(Values.Resolved resolved) {
    return switch (resolved.value()) {
      case Duration duration -> duration.toMillis();
      case Long number -> number;
      case Object other -> throw new IllegalStateException(other.getClass() + " has no magnitude");
    };
  }
}
