package dev.millrace.web.http.server;

import dev.millrace.web.http.Watchdog;
import io.helidon.common.buffers.BufferData;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a client that trickles its headers, and refuses what {@link StrictHead} does. The web
 * server's idle timer covers the time before the request line, and {@link RequestBody} the time
 * after the headers. It is one listener, because the web server calls none of them if it has two.
 */
final class HeadListener implements Http1ConnectionListener {
  /** Both callbacks come on the connection's own thread, and nothing else links them. */
  private static final ThreadLocal<Watchdog.@Nullable Guard> CURRENT = new ThreadLocal<>();

  private final Watchdog watchdog;

  HeadListener(Watchdog watchdog) {
    this.watchdog = watchdog;
  }

  @Override
  public void prologue(ConnectionContext context, HttpPrologue prologue) {
    StrictHead.requireTarget(prologue);
    CURRENT.set(watchdog.guard());
  }

  @Override
  public void headers(ConnectionContext context, Headers headers) {
    Watchdog.Guard guard = CURRENT.get();
    if (guard != null) {
      CURRENT.remove();
      guard.close();
    }
    StrictHead.requireHeaders(context, headers);
  }

  @Override
  public void data(ConnectionContext context, BufferData data) {}

  @Override
  public void data(ConnectionContext context, byte[] bytes, int offset, int length) {}
}
