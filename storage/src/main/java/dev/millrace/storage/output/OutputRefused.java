package dev.millrace.storage.output;

/** An executor produced something that is not stored. Trying again will not help. */
public final class OutputRefused extends RuntimeException {

  private final Reason reason;

  /** Why. */
  public enum Reason {
    /** The declared type is none that is stored here. */
    UNKNOWN_TYPE,
    /** The content does not begin like a file of the declared type. */
    TYPE_MISMATCH,
    TOO_LARGE,
    EMPTY
  }

  OutputRefused(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
