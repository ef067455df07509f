package dev.millrace.mutants.run;

import dev.millrace.mutants.child.Baseline;
import dev.millrace.mutants.child.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Which tests are tried for a mutant: those that execute its statement, for as long as there is
 * time. First come those that noticed most of the statement's other mutants, then those of a class
 * that is called like the statement's, then the shortest of each class, the second of each, and so
 * on: what many tests execute, few are about.
 */
final class TestOrder {

  private static final long LEAST_LIMIT_MILLIS = 40_000;
  private static final int TIMES_USUAL = 6;

  private final Baseline baseline;
  private final long budgetMillis;
  private final Map<Target, Map<String, Integer>> noticed = new ConcurrentHashMap<>();

  TestOrder(Baseline baseline, long budgetMillis) {
    this.baseline = baseline;
    this.budgetMillis = budgetMillis;
  }

  void noticed(Target target, String test) {
    noticed.computeIfAbsent(target, _ -> new ConcurrentHashMap<>()).merge(test, 1, Integer::sum);
  }

  /**
   * Those that may notice a mutant.
   *
   * @param escaped tells of which tests it is known that they don't; their time counts too, so that
   *     a second run doesn't simply go on with the next ones
   */
  Trial trial(Target target, String mutated, Predicate<String> escaped) {
    Map<String, Integer> scores = new HashMap<>(noticed.getOrDefault(target, Map.of()));
    List<String> sorted = new ArrayList<>(target.tests());
    sorted.removeAll(baseline.failed());
    sorted.removeIf(test -> !baseline.millis().containsKey(test));
    sorted.sort(Comparator.comparingLong(this::millis).thenComparing(test -> test));
    Map<String, Integer> sizes = new HashMap<>();
    Map<String, Integer> ranks = new HashMap<>();
    for (String test : sorted) {
      ranks.put(test, sizes.merge(typeOf(test), 1, Integer::sum));
    }
    sorted.sort(
        Comparator.<String>comparingInt(test -> -scores.getOrDefault(test, 0))
            .thenComparing(test -> !typeOf(test).startsWith(stemOf(target.type())))
            .thenComparing(test -> Objects.requireNonNull(ranks.get(test))));
    List<String> tests = new ArrayList<>();
    List<Long> limits = new ArrayList<>();
    long sum = 0;
    for (String test : sorted) {
      sum += millis(test);
      if (sum > budgetMillis && sum > millis(test)) {
        break;
      }
      if (escaped.test(test)) {
        continue;
      }
      tests.add(test);
      limits.add(Math.max(LEAST_LIMIT_MILLIS, TIMES_USUAL * millis(test)));
    }
    return new Trial(target.sql(), mutated, tests, limits);
  }

  private long millis(String test) {
    return baseline.millis().getOrDefault(test, 0L);
  }

  /** Such as CapPgTest. */
  private static String typeOf(String test) {
    return test.replaceAll(".*\\[class:(?:[\\w.]*\\.)?(\\w+)].*", "$1");
  }

  /** The first word of its name: Cap for CapSql, Wallet for Wallets. */
  private static String stemOf(String type) {
    return type.replaceAll("(?<=.)[A-Z].*|s$", "");
  }
}
