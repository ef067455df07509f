package dev.millrace.mutants.child;

import java.io.Serializable;
import java.util.List;

/**
 * A mutant, and the tests that may notice it, in the order in which they are tried.
 *
 * @param limitMillis for each test; it hangs if it takes longer
 */
public record Trial(String original, String mutated, List<String> tests, List<Long> limitMillis)
    implements Serializable {

  public Trial {
    tests = List.copyOf(tests);
    limitMillis = List.copyOf(limitMillis);
  }
}
