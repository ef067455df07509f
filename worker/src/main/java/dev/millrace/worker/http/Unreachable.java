package dev.millrace.worker.http;

import java.io.IOException;

/**
 * No answer came. Whether the other side heard and acted isn't known, unless it never connected.
 */
public final class Unreachable extends IOException {

  private static final long serialVersionUID = 1L;

  private final boolean neverSent;

  Unreachable(String message, boolean neverSent, Throwable cause) {
    super(message, cause);
    this.neverSent = neverSent;
  }

  /** True if there wasn't even a connection, so nothing can have happened there. */
  public boolean neverSent() {
    return neverSent;
  }
}
