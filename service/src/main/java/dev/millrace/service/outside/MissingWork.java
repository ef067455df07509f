package dev.millrace.service.outside;

import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Usage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Doubts a service that says it does not know work which it took: it has to say so several times
 * over some minutes, and nothing else in between. Who believed the first word would have the work
 * made again while it is there. What this node has heard is forgotten with it, which only means
 * that another one asks as often.
 */
final class MissingWork {

  static final int LEAST_TIMES = 4;
  static final Duration LEAST_TIME = Duration.ofMinutes(3);
  private static final int MOST_REMEMBERED = 10_000;

  private final InstantSource clock;
  private final Map<Key, Said> said =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Said> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  private record Key(String provider, String reference) {}

  private record Said(Instant first, int times) {}

  MissingWork(InstantSource clock) {
    this.clock = clock;
  }

  /** What is to be believed of a service's word about this work. */
  synchronized Standing believed(String provider, String reference, Standing word) {
    Key key = new Key(provider, reference);
    if (!(word instanceof Standing.Missing missing)) {
      said.remove(key);
      return word;
    }
    Instant now = clock.instant();
    @Nullable Said before = said.get(key);
    Said heard = before == null ? new Said(now, 1) : new Said(before.first, before.times + 1);
    said.put(key, heard);
    boolean longEnough = !now.isBefore(heard.first.plus(LEAST_TIME));
    return longEnough && heard.times >= LEAST_TIMES
        ? new Standing.Ended(
            new Outcome.Unavailable(missing.message(), Optional.empty()), Usage.none())
        : new Standing.NoAnswer(missing.message(), missing.askAfter());
  }
}
