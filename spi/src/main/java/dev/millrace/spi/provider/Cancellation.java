package dev.millrace.spi.provider;

/** What a service says to being asked to stop. */
public enum Cancellation {
  /** It has stopped and will deliver nothing. */
  STOPPED,
  /** It was told; {@link AsyncProvider#collect} says how it ends, and it may still deliver. */
  ASKED,
  /** The work was over before; collect it. */
  TOO_LATE,
  /** It doesn't know this work (any more). */
  UNKNOWN,
  /** It did not answer; ask again. */
  NO_ANSWER,
  /** It has no way to stop work. */
  IMPOSSIBLE
}
