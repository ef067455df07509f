package dev.millrace.engine.job;

/**
 * How often a job was tried, and how often it may fail. Failures are the work's own; interruptions
 * are the world's (a lost lease, a Spot notice, a restart). Neither count ever falls.
 *
 * @param attempts the number of the newest attempt; 0 before the first
 */
public record Tries(
    int attempts, int failures, int interruptions, int maxFailures, int maxInterruptions) {

  public Tries {
    if (failures > maxFailures || interruptions > maxInterruptions) {
      throw new IllegalStateException("counted beyond the cap");
    }
  }

  public static Tries none(int maxFailures, int maxInterruptions) {
    return new Tries(0, 0, 0, maxFailures, maxInterruptions);
  }

  public Tries started() {
    return new Tries(attempts + 1, failures, interruptions, maxFailures, maxInterruptions);
  }

  public Tries failed() {
    return new Tries(attempts, failures + 1, interruptions, maxFailures, maxInterruptions);
  }

  public Tries interrupted() {
    return new Tries(attempts, failures, interruptions + 1, maxFailures, maxInterruptions);
  }

  /** As many more as these, on top of what was used: a retry in place. */
  public Tries granted(int moreFailures, int moreInterruptions) {
    return new Tries(
        attempts,
        failures,
        interruptions,
        Math.addExact(failures, moreFailures),
        Math.addExact(interruptions, moreInterruptions));
  }

  public boolean failuresUsedUp() {
    return failures >= maxFailures;
  }

  public boolean interruptionsUsedUp() {
    return interruptions >= maxInterruptions;
  }
}
