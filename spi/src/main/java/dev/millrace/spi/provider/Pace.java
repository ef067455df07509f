package dev.millrace.spi.provider;

import java.time.Duration;

/** How often a service may be asked: it may say so, within bounds. */
final class Pace {

  static final Duration SHORTEST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofMinutes(5);

  private Pace() {}

  static Duration bounded(Duration wanted) {
    if (wanted.compareTo(SHORTEST) < 0) {
      return SHORTEST;
    }
    return wanted.compareTo(LONGEST) > 0 ? LONGEST : wanted;
  }
}
