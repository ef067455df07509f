package dev.millrace.service.webhooks;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * How long to rest after a failure: longer each time, up to eight hours. Who asks for a longer rest
 * gets it, within bounds; nobody gets a shorter one, for an endpoint that says "at once" every time
 * would be asked without end.
 */
final class RetryPause {

  static final Duration LONGEST_ASKED = Duration.ofHours(8);

  private static final double SPREAD = 0.2;

  private static final List<Duration> STEPS =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(2),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30),
          Duration.ofHours(1),
          Duration.ofHours(2),
          Duration.ofHours(4),
          Duration.ofHours(8));

  private final DoubleSupplier random;

  /** Spreads rests, so that what failed together does not come back together. */
  RetryPause(DoubleSupplier random) {
    this.random = random;
  }

  Duration after(int attempt, Optional<Duration> asked) {
    Duration step = STEPS.get(Math.min(Math.max(attempt, 1), STEPS.size()) - 1);
    double factor = 1 - SPREAD + 2 * SPREAD * random.getAsDouble();
    Duration own = Duration.ofMillis(Math.round(step.toMillis() * factor));
    Duration bounded =
        asked.map(wish -> wish.compareTo(LONGEST_ASKED) > 0 ? LONGEST_ASKED : wish).orElse(own);
    return bounded.compareTo(own) > 0 ? bounded : own;
  }
}
