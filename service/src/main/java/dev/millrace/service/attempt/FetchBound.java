package dev.millrace.service.attempt;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How long the outputs of one result may be fetched.
 *
 * @param end by {@link System#nanoTime}
 * @param stop true once nobody wants them any more; it is asked often, so it must answer at once
 */
public record FetchBound(long end, BooleanSupplier stop) {

  /** For whoever has no deadline of his own. */
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  public static FetchBound within(Duration most, BooleanSupplier stop) {
    return new FetchBound(System.nanoTime() + most.toNanos(), stop);
  }

  public static FetchBound usual() {
    return within(PATIENCE, () -> false);
  }

  public Duration left() {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }
}
