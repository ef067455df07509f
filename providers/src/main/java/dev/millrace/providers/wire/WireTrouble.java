package dev.millrace.providers.wire;

import java.io.IOException;

/** There is no reply. What matters is whether the service may have seen the call. */
public final class WireTrouble extends IOException {

  /** How far the call came. */
  public enum Kind {
    /** No connection was made: the service has seen nothing. */
    NOT_SENT,
    /** It was sent, at least in part, and nothing came back in time. */
    NO_REPLY,
    /** A reply came, with more bytes than anybody wants to read. */
    TOO_LARGE
  }

  private final Kind kind;

  WireTrouble(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  WireTrouble(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
