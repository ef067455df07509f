package dev.millrace.worker.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * No answer came. Whether the other side heard and acted isn't known, unless it never connected.
 */
public final class Unreachable extends IOException {

  private static final long serialVersionUID = 1L;

  private final boolean neverSent;

  Unreachable(String message, boolean neverSent, @Nullable Throwable cause) {
    super(message, cause);
    this.neverSent = neverSent;
  }

  /** An answer came, but none that makes sense, so nothing is known either. */
  public static Unreachable unwell(String message) {
    return new Unreachable(message, false, null);
  }

  /** True if there wasn't even a connection, so nothing can have happened there. */
  public boolean neverSent() {
    return neverSent;
  }
}
