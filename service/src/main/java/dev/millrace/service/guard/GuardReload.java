package dev.millrace.service.guard;

import java.util.List;

/** What became of reading the rules. */
public sealed interface GuardReload {

  /** The file was good; these are the rules now. */
  record Reloaded(RuleSet rules) implements GuardReload {}

  /**
   * The rules are still what they were before.
   *
   * @param mistakes every one of them, with its line
   */
  record Rejected(List<String> mistakes) implements GuardReload {
    public Rejected {
      mistakes = List.copyOf(mistakes);
      if (mistakes.isEmpty()) {
        throw new IllegalArgumentException("rejected without a mistake");
      }
    }

    /** For whoever can't start with it. */
    public String message() {
      return "The guard's rules have mistakes:\n  " + String.join("\n  ", mistakes);
    }
  }
}
