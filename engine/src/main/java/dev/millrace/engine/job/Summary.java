package dev.millrace.engine.job;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job's bag of terms. The values are JSON texts that the engine neither reads nor makes; it
 * merges them key by key. Every event of a job repeats them, so what executors report has a bound.
 */
public record Summary(SortedMap<String, String> values) {

  /** The JSON text that removes a key. */
  public static final String REMOVE = "null";

  /** So many characters the keys and values have together. */
  public static final int MOST_CHARACTERS = 40_000;

  public static final int MOST_KEYS = 1_000;

  public static final Summary EMPTY = new Summary(Collections.emptySortedMap());

  public Summary {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  /**
   * With what an executor reports. If that is more than there is room for, nothing of it is taken;
   * what makes a summary smaller always is.
   */
  public Summary mergeReported(Summary patch) {
    Summary merged = merge(patch);
    boolean fits = merged.values.size() <= MOST_KEYS && merged.characters() <= MOST_CHARACTERS;
    boolean shrinks = merged.values.size() <= values.size() && merged.characters() <= characters();
    return fits || shrinks ? merged : this;
  }

  /** Whether all of a patch is in here. */
  public boolean has(Summary patch) {
    return merge(patch).equals(this);
  }

  private long characters() {
    long all = 0;
    for (Map.Entry<String, String> fact : values.entrySet()) {
      all += fact.getKey().length() + fact.getValue().length();
    }
    return all;
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
