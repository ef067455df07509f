package dev.millrace.service.outside;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Waits for outputs whose addresses say that nothing is there. A result that exists is paid for, so
 * it is asked for again, with fresh addresses, for some minutes. What this node has seen is
 * forgotten with it, which only means that another one waits as long.
 */
final class AbsentOutputs {

  static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration SHORTEST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final int MOST_REMEMBERED = 10_000;

  private final InstantSource clock;
  private final Map<UUID, Instant> since =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Instant> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  AbsentOutputs(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * When to look again for an output that is absent; each pause is as long as all before. Empty if
   * it was absent for too long.
   *
   * @param token of the attempt that waits for it
   */
  synchronized Optional<Duration> pause(UUID token) {
    Instant now = clock.instant();
    Duration waited = Duration.between(since.computeIfAbsent(token, _ -> now), now);
    if (waited.compareTo(PATIENCE) >= 0) {
      since.remove(token);
      return Optional.empty();
    }
    Duration least = waited.compareTo(SHORTEST) < 0 ? SHORTEST : waited;
    return Optional.of(least.compareTo(LONGEST) > 0 ? LONGEST : least);
  }
}
