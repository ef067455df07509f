package dev.millrace.postgres.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one law's query found.
 *
 * @param explanation what a violation means, and what to do about it
 * @param examples of violations; ids and numbers only, never a prompt or a key
 * @param violations how many there are; a lower bound if {@code more}
 * @param notChecked why the query has no result, or null if it has one
 */
public record LawFinding(
    int number,
    String name,
    String law,
    String explanation,
    List<Map<String, Object>> examples,
    long violations,
    boolean more,
    @Nullable String notChecked) {

  /** What can be said of a law. */
  public enum Status {
    HOLDS,
    VIOLATED,
    NOT_CHECKED;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static LawFinding of(
      Invariant law, List<Map<String, Object>> examples, long violations, long most) {
    return new LawFinding(
        law.number(),
        law.name(),
        law.law(),
        law.explanation(),
        examples,
        violations,
        violations >= most,
        null);
  }

  static LawFinding notChecked(Invariant law, String reason) {
    return new LawFinding(
        law.number(), law.name(), law.law(), law.explanation(), List.of(), 0, false, reason);
  }

  public Status status() {
    if (notChecked != null) {
      return Status.NOT_CHECKED;
    }
    return violations == 0 ? Status.HOLDS : Status.VIOLATED;
  }

  public boolean holds() {
    return status() == Status.HOLDS;
  }
}
