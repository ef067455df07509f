package dev.millrace.mutants.result;

/**
 * What became of a mutant.
 *
 * @param detail the test that noticed it, or how many did not
 */
public record Result(Mutant mutant, Verdict fate, String detail) {

  /** The ways to end. */
  public enum Verdict {
    KILLED,
    TIMED_OUT,
    SURVIVED,
    NO_TEST;

    public boolean lives() {
      return this == SURVIVED || this == NO_TEST;
    }
  }
}
