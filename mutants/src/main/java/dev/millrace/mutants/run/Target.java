package dev.millrace.mutants.run;

import dev.millrace.mutants.child.Baseline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A statement of the program.
 *
 * @param type the simple name of its class
 * @param member the constant, or the method that puts it together
 * @param sql as the driver gets it
 * @param fresh whether a JVM executes it only once, so that each mutant needs a new one
 */
record Target(String type, String member, String sql, boolean fresh, Set<String> tests) {

  private static final Pattern STATEMENT =
      Pattern.compile("\\s*(select|insert|update|delete|with)\\s.*", Pattern.DOTALL);

  Target {
    tests = Set.copyOf(tests);
  }

  /** The constants, and what is put together from pieces and so is none. */
  static List<Target> of(Baseline baseline) {
    List<Target> targets = new ArrayList<>();
    Set<Baseline.Executed> rest = new HashSet<>(baseline.executed());
    new TreeMap<>(baseline.constants())
        .forEach((name, sql) -> {
          List<Baseline.Executed> uses =
              baseline.executed().stream().filter(one -> one.sql().contains(sql)).toList();
          rest.removeAll(uses);
          targets.add(target(name, sql, uses));
        });
    rest.stream()
        .filter(one -> STATEMENT.matcher(one.sql()).matches())
        .sorted(Comparator.comparing(Baseline.Executed::sql))
        .forEach(one -> targets.add(target(one.origin(), one.sql(), List.of(one))));
    return targets;
  }

  private static Target target(String name, String sql, List<Baseline.Executed> uses) {
    Set<String> tests = new HashSet<>();
    uses.forEach(use -> tests.addAll(use.tests()));
    int dot = name.indexOf('.');
    return new Target(
        name.substring(0, dot),
        name.substring(dot + 1),
        sql,
        uses.stream().anyMatch(Baseline.Executed::initialising),
        tests);
  }
}
