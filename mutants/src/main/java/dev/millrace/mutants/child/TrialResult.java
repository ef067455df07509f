package dev.millrace.mutants.child;

import java.io.Serializable;

/**
 * What became of a mutant.
 *
 * @param test that noticed it; empty if none did
 */
public record TrialResult(Verdict fate, String test, String message, int testsRun)
    implements Serializable {

  /** The ways to end. */
  public enum Verdict {
    /** PostgreSQL does not understand it, so it is no mutant. */
    INVALID,
    /** A test failed. */
    KILLED,
    /** A test did not come to its end. */
    TIMED_OUT,
    /** All tests passed. */
    SURVIVED
  }
}
