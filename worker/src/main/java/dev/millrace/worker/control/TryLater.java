package dev.millrace.worker.control;

import java.time.Duration;

/** No answer, or one that says "not now". What was asked may have happened nevertheless. */
public final class TryLater extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Duration atLeast;

  TryLater(String message, Duration atLeast) {
    super(message);
    this.atLeast = atLeast;
  }

  /** How long the server asked to be left alone. */
  public Duration atLeast() {
    return atLeast;
  }
}
