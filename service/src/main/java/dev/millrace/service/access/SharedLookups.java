package dev.millrace.service.access;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.engine.port.Store;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Remembers for a moment what was looked up. Those who ask for the same thing at the same time are
 * one look, and share what comes of it, trouble too: with a database that doesn't answer, they
 * would otherwise wait for it one after the other.
 */
public final class SharedLookups<V> {

  /** Longer than the database lets a question take, so that its own answer comes first. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Function<String, V> look;
  private final AsyncCache<String, Found<V>> known;

  /** What came of a look. Trouble is a value too: the cache logs what is thrown in it. */
  private sealed interface Found<V> {}

  private record Seen<V>(V value) implements Found<V> {}

  private record Failed<V>(RuntimeException trouble) implements Found<V> {}

  /**
   * Knows nothing yet.
   *
   * @param memory how long something is remembered
   * @param most how much
   */
  public SharedLookups(Duration memory, int most, Function<String, V> look) {
    this.look = look;
    this.known =
        Caffeine.newBuilder()
            .expireAfterWrite(memory)
            .maximumSize(most)
            .executor(Thread::startVirtualThread)
            .buildAsync();
  }

  public V get(String key) {
    CompletableFuture<Found<V>> asked = known.get(key, this::look);
    try {
      return switch (asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        case Seen<V>(V value) -> value;
        case Failed<V>(RuntimeException trouble) -> {
          known.asMap().remove(key, asked);
          throw trouble;
        }
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Store.Unavailable("interrupted while something was looked up", e);
    } catch (TimeoutException e) {
      known.asMap().remove(key, asked);
      throw new Store.Unavailable("nobody answers what was looked up", e);
    } catch (ExecutionException e) {
      // The cache forgets it too, but perhaps only after the next one has asked.
      known.asMap().remove(key, asked);
      throw new IllegalStateException(e.getCause());
    }
  }

  private Found<V> look(String key) {
    try {
      return new Seen<>(look.apply(key));
    } catch (RuntimeException e) {
      return new Failed<>(e);
    }
  }

  public void put(String key, V value) {
    known.synchronous().put(key, new Seen<>(value));
  }

  public void forget(String key) {
    known.synchronous().invalidate(key);
  }

  public void forgetAll() {
    known.synchronous().invalidateAll();
  }
}
