package dev.millrace.engine.job;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job's bag of facts. The values are JSON texts that the engine neither reads nor makes; it
 * merges them key by key.
 */
public record Summary(SortedMap<String, String> values) {

  /** The JSON text that removes a key. */
  public static final String REMOVE = "null";

  public static final Summary EMPTY = new Summary(Collections.emptySortedMap());

  public Summary {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  public Summary merge(Summary patch) {
    if (patch.values.isEmpty()) {
      return this;
    }
    SortedMap<String, String> merged = new TreeMap<>(values);
    merged.putAll(patch.values);
    merged.values().removeIf(REMOVE::equals);
    return new Summary(merged);
  }
}
