package dev.millrace.web.http.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Knows the open connections, so that the shutdown can cut those that wait for a request. The web
 * server does the same once, and a connection that it is just accepting at that moment would keep
 * it waiting for its whole grace, or even outlive it.
 */
final class Connections implements ServerConnectionSelector {
  private final ServerConnectionSelector http1;
  private final SseStreams streams;

  /** An ended connection leaves by itself, because then only this set refers to it. */
  private final Set<ServerConnection> open = Collections.newSetFromMap(new WeakHashMap<>());

  private volatile boolean closing;

  Connections(Http1Config config, SseStreams streams) {
    this.streams = streams;
    this.http1 = Http1ConnectionSelector.builder().config(config).build();
  }

  @Override
  public int bytesToIdentifyConnection() {
    return http1.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return http1.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http1.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    ServerConnection connection =
        new Connection(http1.connection(StrictReader.of(context)), context.dataWriter(), streams);
    synchronized (open) {
      open.add(connection);
    }
    if (closing) {
      throw new CloseConnectionException("The server is shutting down");
    }
    return connection;
  }

  /**
   * Refuses new connections and cuts those that wait for a request; the others end with their
   * answer. A connection between two states can be missed, so this is repeated.
   */
  void closeIdle() {
    closing = true;
    List<ServerConnection> now;
    synchronized (open) {
      now = List.copyOf(open);
    }
    now.forEach(connection -> connection.close(false));
  }
}
