package dev.millrace.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a client that trickles its headers. The web server's idle timer covers the time before the
 * request line, and {@link RequestBody} the time after the headers.
 */
final class HeaderDeadline implements Http1ConnectionListener {
  /** Both callbacks come on the connection's own thread, and nothing else links them. */
  private static final ThreadLocal<Watchdog.@Nullable Guard> CURRENT = new ThreadLocal<>();

  private final Watchdog watchdog;

  HeaderDeadline(Watchdog watchdog) {
    this.watchdog = watchdog;
  }

  @Override
  public void prologue(ConnectionContext context, HttpPrologue prologue) {
    CURRENT.set(watchdog.guard());
  }

  @Override
  public void headers(ConnectionContext context, Headers headers) {
    Watchdog.Guard guard = CURRENT.get();
    if (guard != null) {
      CURRENT.remove();
      guard.close();
    }
  }

  @Override
  public void data(ConnectionContext context, BufferData data) {}

  @Override
  public void data(ConnectionContext context, byte[] bytes, int offset, int length) {}
}
