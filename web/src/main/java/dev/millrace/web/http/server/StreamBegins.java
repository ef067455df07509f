package dev.millrace.web.http.server;

import dev.millrace.web.http.SseSource;
import io.helidon.webserver.CloseConnectionException;

/**
 * Takes a connection from the web server, which believes that it ends: the answer's head and the
 * opening of its stream are sent, and {@link Connection} goes on from there.
 */
@SuppressWarnings("serial")
final class StreamBegins extends CloseConnectionException {
  private final transient SseSource source;
  private final String requestId;

  StreamBegins(SseSource source, String requestId) {
    super("The connection goes on as an event stream");
    this.source = source;
    this.requestId = requestId;
  }

  /** Nothing went wrong, so nobody asks where. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  SseSource source() {
    return source;
  }

  String requestId() {
    return requestId;
  }
}
