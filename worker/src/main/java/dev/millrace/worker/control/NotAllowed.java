package dev.millrace.worker.control;

/** The server doesn't know this worker or its secret, or has shut it out. */
public final class NotAllowed extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean unknown;

  NotAllowed(String message, boolean unknown) {
    super(message);
    this.unknown = unknown;
  }

  /** True if the worker may register again. */
  public boolean unknown() {
    return unknown;
  }
}
