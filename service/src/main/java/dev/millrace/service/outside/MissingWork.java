package dev.millrace.service.outside;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Usage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Doubts a service that says it does not know work which it took: it has to say so several times
 * over some minutes, and nothing else in between. Who believed the first word would have the work
 * made again while it is there. What this node has heard is forgotten with it, which only means
 * that another one asks as often.
 */
final class MissingWork {

  static final int LEAST_TIMES = 4;
  static final Duration LEAST_TIME = Duration.ofMinutes(3);
  private static final Duration FORGOTTEN = Duration.ofDays(1);
  private static final int MOST_REMEMBERED = 10_000;

  private final InstantSource clock;
  private final Cache<Key, Said> said =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).expireAfterWrite(FORGOTTEN).build();

  private record Key(String provider, String reference) {}

  private record Said(Instant first, int times) {}

  MissingWork(InstantSource clock) {
    this.clock = clock;
  }

  /** What is to be believed of a service's word about this work. */
  Standing believed(String provider, String reference, Standing word) {
    Key key = new Key(provider, reference);
    if (!(word instanceof Standing.Missing missing)) {
      said.invalidate(key);
      return word;
    }
    Instant now = clock.instant();
    Said heard =
        said.asMap()
            .merge(key, new Said(now, 1), (before, _) -> new Said(before.first, before.times + 1));
    boolean longEnough = !now.isBefore(heard.first.plus(LEAST_TIME));
    return longEnough && heard.times >= LEAST_TIMES
        ? new Standing.Ended(
            new Outcome.Unavailable(missing.message(), Optional.empty()), Usage.none())
        : new Standing.NoAnswer(missing.message(), missing.askAfter());
  }
}
