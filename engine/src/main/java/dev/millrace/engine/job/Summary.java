package dev.millrace.engine.job;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job's bag of terms. The values are JSON texts that the engine doesn't read; it makes none but
 * numbers and lists of texts, and merges them key by key. Events of a job repeat them, so what
 * executors report has a bound, and so has how often it is repeated.
 */
public record Summary(SortedMap<String, String> values) {

  /** The JSON text that removes a key. */
  public static final String REMOVE = "null";

  /** So many characters the keys and values have together. */
  public static final int MOST_CHARACTERS = 40_000;

  public static final int MOST_KEYS = 1_000;

  /** Progress event number n repeats a summary of so many characters divided by n. */
  public static final long MOST_REPEATED = 1_000_000;

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

  /**
   * Whether a report of progress with this number repeats the summary. A small one is repeated by
   * thousands of them and the greatest by the first 25. All of a job's reports together repeat at
   * most {@link #MOST_REPEATED} times the sum of 1/n, however many there are: nobody has to count.
   */
  public boolean repeatedBy(int event) {
    return event * characters() <= MOST_REPEATED;
  }

  private long characters() {
    long all = 0;
    for (Map.Entry<String, String> fact : values.entrySet()) {
      all += fact.getKey().length() + fact.getValue().length();
    }
    return all;
  }

  /** With one more text at the end of a list; whatever else is there gives way to a list. */
  public Summary append(String key, String text) {
    String list = values.getOrDefault(key, "[]");
    boolean goesOn = list.startsWith("[") && list.endsWith("]") && !list.equals("[]");
    String begin = goesOn ? list.substring(0, list.length() - 1) + "," : "[";
    SortedMap<String, String> more = new TreeMap<>(values);
    more.put(key, begin + quoted(text) + "]");
    return new Summary(more);
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ') {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return json.append('"').toString();
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
