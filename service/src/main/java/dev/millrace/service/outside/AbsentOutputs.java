package dev.millrace.service.outside;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Waits for outputs whose addresses say that nothing is there. A result that exists is paid for, so
 * it is asked for again, with fresh addresses, for some minutes. What this node has seen is
 * forgotten with it, which only means that another one waits as long.
 */
final class AbsentOutputs {

  static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration SHORTEST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  static final Duration FORGOTTEN = Duration.ofHours(1);
  private static final int MOST_REMEMBERED = 10_000;

  private final InstantSource clock;

  /** Whoever still waits looks again long before it is forgotten; what came is not looked for. */
  private final Cache<UUID, Instant> since;

  AbsentOutputs(InstantSource clock) {
    this.clock = clock;
    this.since =
        Caffeine.newBuilder()
            .maximumSize(MOST_REMEMBERED)
            .expireAfterAccess(FORGOTTEN)
            .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
            .build();
  }

  /**
   * When to look again for an output that is absent; each pause is as long as all before. Empty if
   * it was absent for too long.
   *
   * @param token of the attempt that waits for it
   */
  Optional<Duration> pause(UUID token) {
    Instant now = clock.instant();
    Duration waited = Duration.between(since.get(token, _ -> now), now);
    if (waited.compareTo(PATIENCE) >= 0) {
      since.invalidate(token);
      return Optional.empty();
    }
    Duration least = waited.compareTo(SHORTEST) < 0 ? SHORTEST : waited;
    return Optional.of(least.compareTo(LONGEST) > 0 ? LONGEST : least);
  }
}
