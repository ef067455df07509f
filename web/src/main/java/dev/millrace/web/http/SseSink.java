package dev.millrace.web.http;

import org.jspecify.annotations.Nullable;

/**
 * Where a source puts its events. Every call is flushed before it returns and may come from any
 * thread. When the client is gone a call throws; a source lets that pass, and the layer ends the
 * stream without a word in the log. Only a write can find that out, so a quiet source sends
 * comments now and then.
 */
public interface SseSink {
  /**
   * Sends one event.
   *
   * @param id what the client sends back as {@code Last-Event-ID}: printable ASCII, because other
   *     characters come back mangled; null for none
   * @param name the event's type; null for {@code message}
   * @param data any text; its lines are framed
   */
  void event(@Nullable String id, @Nullable String name, String data);

  /** Sends a comment, which clients ignore: the heartbeat. */
  void comment(String text);

  /** Tells the client how long to wait before it connects again. */
  void retry(long milliseconds);

  /** True once the server shuts down: the source should return soon. */
  boolean closing();

  /** Runs the action when the server shuts down, or now if it already does, to wake the source. */
  void onClose(Runnable action);
}
