package dev.millrace.mutants.result;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The figures as a table, a line for each class. */
public final class Summary {

  private static final String ROW = "%-28s %8s %8s %8s %8s %9s %9s%n";

  private final Map<String, Count> types = new TreeMap<>();
  private final Count all = new Count();

  /** How many of each kind. */
  private static final class Count {
    private int mutants;
    private int killed;
    private int timedOut;
    private int explained;

    void add(Result result, boolean excused) {
      mutants++;
      switch (result.fate()) {
        case KILLED -> killed++;
        case TIMED_OUT -> timedOut++;
        case SURVIVED, NO_TEST -> explained += excused ? 1 : 0;
      }
    }

    int alive() {
      return mutants - killed - timedOut - explained;
    }

    /** Of those that can be noticed at all. */
    double percent() {
      int countable = mutants - explained;
      return countable == 0 ? 100 : 100.0 * (killed + timedOut) / countable;
    }

    String row(String name) {
      return ROW.formatted(
          name, mutants, killed, timedOut, explained, alive(), "%.1f %%".formatted(percent()));
    }
  }

  public Summary(Collection<Result> results, Explanations explanations) {
    for (Result result : results) {
      boolean excused = explanations.explain(result.mutant());
      types.computeIfAbsent(result.mutant().type(), _ -> new Count()).add(result, excused);
      all.add(result, excused);
    }
  }

  public double percent() {
    return all.percent();
  }

  public String table() {
    StringBuilder table = new StringBuilder();
    table.append(
        ROW.formatted("class", "mutants", "killed", "timeout", "explained", "survived", "noticed"));
    types.forEach((type, count) -> table.append(count.row(type)));
    return table.append(all.row("all")).toString();
  }

  /** The mutants that live without an excuse, each with what is known about it. */
  public static List<String> survivors(Collection<Result> results, Explanations explanations) {
    return results.stream()
        .filter(result -> result.fate().lives() && !explanations.explain(result.mutant()))
        .map(result -> result.mutant().name() + "\n        " + result.detail())
        .sorted()
        .toList();
  }
}
