package dev.millrace.service.transfer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * What became of the rows so far.
 *
 * @param values whole numbers by their names
 */
record Counts(SortedMap<String, Long> values) {

  static final String TAKEN = "taken";
  static final String FAILED = "failed";
  static final String SKIPPED = "skipped";
  static final String TAGS = "tags_created";
  static final String CATEGORIES = "categories_created";

  /** How many are left, as the other side says; not added up. */
  static final String REMAINING = "remaining";

  /** How many errors have a line of their own. */
  static final String LISTED = "listed";

  private static final List<String> ALWAYS = List.of(FAILED, SKIPPED, TAGS);
  static final Counts NONE = new Counts(new TreeMap<>());

  static Counts read(String json) {
    SortedMap<String, Long> values = new TreeMap<>();
    JsonMapper.shared()
        .readTree(json)
        .properties()
        .forEach(count -> values.put(count.getKey(), count.getValue().asLong()));
    return new Counts(values);
  }

  String json() {
    return JsonMapper.shared().writeValueAsString(values);
  }

  long of(String name) {
    return values.getOrDefault(name, 0L);
  }

  Counts plus(String name, long more) {
    SortedMap<String, Long> sum = new TreeMap<>(values);
    sum.merge(name, more, Long::sum);
    return new Counts(sum);
  }

  Counts plus(Counts more) {
    SortedMap<String, Long> sum = new TreeMap<>(values);
    more.values.forEach((name, value) ->
        sum.merge(name, value, name.equals(REMAINING) ? (_, newest) -> newest : Long::sum));
    return new Counts(sum);
  }

  /**
   * As the job's summary has them.
   *
   * @param takenAs what those are called that were taken
   * @param skippedBefore how many were left out before it began
   */
  Map<String, Object> facts(String takenAs, long skippedBefore) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put(takenAs, of(TAKEN));
    ALWAYS.forEach(name -> facts.put(name, of(name)));
    facts.put(SKIPPED, of(SKIPPED) + skippedBefore);
    for (String name : List.of(CATEGORIES, REMAINING)) {
      if (values.containsKey(name)) {
        facts.put(name, of(name));
      }
    }
    return facts;
  }
}
