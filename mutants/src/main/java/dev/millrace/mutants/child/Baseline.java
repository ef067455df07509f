package dev.millrace.mutants.child;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
  }
}
