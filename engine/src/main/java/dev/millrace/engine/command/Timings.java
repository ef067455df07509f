package dev.millrace.engine.command;

import java.time.Duration;

/** How long things may take. Each limit is its own setting; none stands in for another. */
public record Timings(
    Duration lease, Duration callback, Duration review, Duration cancelGrace, Backoff backoff) {

  /**
   * How long the result of a provider is fetched. Long enough for a store or an address that is
   * away for a while, and for a large video; what providers keep, most of them delete after an
   * hour.
   */
  public static final Duration FETCHING = Duration.ofHours(1);

  /** Exponential with full jitter: anything from nothing to twice the last bound, up to a cap. */
  public record Backoff(Duration base, Duration cap) {

    private static final int MAX_DOUBLINGS = 30;

    /**
     * How long to wait before the next try.
     *
     * @param failures how many there were, at least 1
     * @param jitter from 0 to 1, drawn by the caller
     */
    public Duration after(int failures, double jitter) {
      int doublings = Math.clamp(failures - 1L, 0, MAX_DOUBLINGS);
      boolean beyond = base.toMillis() > cap.toMillis() >> doublings;
      long bound = beyond ? cap.toMillis() : base.toMillis() << doublings;
      return Duration.ofMillis((long) (bound * Math.clamp(jitter, 0.0, 1.0)));
    }
  }
}
