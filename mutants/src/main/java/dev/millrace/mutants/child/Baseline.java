package dev.millrace.mutants.child;

import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the tests do without any mutant.
 *
 * @param constants the module's statements that are constants, by name, as the driver gets them
 * @param executed every text that the program gave to the driver
 * @param millis how long each test took, by its id
 * @param failed tests that fail anyway, and say nothing about a mutant
 */
public record Baseline(
    Map<String, String> constants,
    List<Executed> executed,
    Map<String, Long> millis,
    Set<String> failed)
    implements Serializable {

  public Baseline {
    constants = Map.copyOf(constants);
    executed = List.copyOf(executed);
    millis = Map.copyOf(millis);
    failed = Set.copyOf(failed);
  }

  public static Baseline empty() {
    return new Baseline(Map.of(), List.of(), Map.of(), Set.of());
  }

  /** What these tests do. */
  public Baseline of(Predicate<String> tests) {
    return new Baseline(
        constants,
        executed.stream()
            .map(one -> new Executed(one.sql, one.origin, one.initialising, kept(one.tests, tests)))
            .filter(one -> !one.tests.isEmpty())
            .toList(),
        millis.entrySet().stream()
            .filter(one -> tests.test(one.getKey()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
        kept(failed, tests));
  }

  private static Set<String> kept(Set<String> all, Predicate<String> tests) {
    return all.stream().filter(tests).collect(Collectors.toSet());
  }

  /** What these tests do and those of a newer record; a statement is in it once. */
  public Baseline with(Baseline newer) {
    Map<String, Executed> all = new HashMap<>();
    Stream.concat(executed.stream(), newer.executed.stream())
        .forEach(one -> all.merge(one.sql, one, Executed::with));
    Map<String, Long> times = new HashMap<>(millis);
    times.putAll(newer.millis);
    Set<String> failures = new HashSet<>(failed);
    failures.addAll(newer.failed);
    return new Baseline(newer.constants, List.copyOf(all.values()), times, failures);
  }

  /**
   * A text, and who executed it.
   *
   * @param origin the program's class and method
   * @param initialising whether it ran while a test class was loaded, which happens once in a JVM
   */
  public record Executed(String sql, String origin, boolean initialising, Set<String> tests)
      implements Serializable {

    public Executed {
      tests = Set.copyOf(tests);
    }

    Executed with(Executed other) {
      Set<String> both = new HashSet<>(tests);
      both.addAll(other.tests);
      return new Executed(sql, origin, initialising || other.initialising, both);
    }
  }
}
