package dev.millrace.postgres.doctor;

import java.time.Duration;

/**
 * How much of a live system's time an examination may take.
 *
 * @param law how long one query may run
 * @param lock how long one may wait for a table that a migration holds
 * @param run how long all may run together; what is left over is not checked
 */
public record CheckLimits(Duration law, Duration lock, Duration run) {

  /** Less than a client waits for an answer, and than a connection waits for the database. */
  private static final Duration RUN = Duration.ofSeconds(50);

  public static final CheckLimits DEFAULT = of(Duration.ofSeconds(10), Duration.ofSeconds(1));

  public CheckLimits {
    if (!law.isPositive() || !lock.isPositive() || !run.isPositive()) {
      throw new IllegalArgumentException("patience must be positive");
    }
  }

  public static CheckLimits of(Duration law, Duration lock) {
    return new CheckLimits(law, lock, RUN);
  }
}
