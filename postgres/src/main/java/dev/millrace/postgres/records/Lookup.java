package dev.millrace.postgres.records;

import dev.millrace.engine.lane.BatchShare;
import dev.millrace.engine.lane.Lane;
import dev.millrace.engine.port.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Looks up one thing, in one query with all that others look up at this moment. With hundreds of
 * requests at once, each by itself would wait longer for a connection than for its answer.
 */
public final class Lookup<K, V> implements AutoCloseable {

  private static final int MAX_BATCH = 256;
  private static final int MAX_WAITING = 10_000;

  /** What was found for the key in this place of the list, from 1 on. */
  public record Found<V>(int place, V value) {}

  private final Lane<K, Optional<V>> lane;

  public Lookup(String name, Function<List<K>, List<Found<V>>> query) {
    this.lane =
        new Lane<>(
            name,
            new BatchShare(MAX_BATCH),
            MAX_WAITING,
            new ReentrantLock(),
            keys -> {
              List<Found<V>> found = query.apply(keys);
              return () -> answers(keys, found);
            });
  }

  private static <K, V> List<Optional<V>> answers(List<K> keys, List<Found<V>> found) {
    Map<Integer, V> byPlace = new HashMap<>();
    found.forEach(each -> byPlace.put(each.place, each.value));
    List<Optional<V>> answers = new ArrayList<>(keys.size());
    for (int place = 1; place <= keys.size(); place++) {
      answers.add(Optional.ofNullable(byPlace.get(place)));
    }
    return answers;
  }

  /** What there is after this call began. */
  public Optional<V> find(K key) {
    try {
      return lane.call(key);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Store.Unavailable("interrupted while looking something up", e);
    }
  }

  @Override
  public void close() {
    lane.close();
  }
}
