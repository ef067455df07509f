package dev.millrace.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.http.DirectHandler;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * Refuses a chunk that is too large before any of it is gathered. The web server holds a chunk in
 * memory as a whole, and its own limit is the largest body of any route, which is that of files.
 */
final class BoundedChunks extends DataReader {

  /** Far above what clients send at a time. */
  static final int MOST_BYTES = 16 << 20;

  /** The web server would rather be asked to create a reader, but then nothing can be refused. */
  @SuppressWarnings("removal")
  private BoundedChunks(DataReader below) {
    super(() -> {
      below.ensureAvailable();
      return below.readBytes(below.available());
    });
  }

  /** The same connection, read through this. */
  static ConnectionContext of(ConnectionContext context) {
    return new Bounded(context, new BoundedChunks(context.dataReader()));
  }

  /** Chunks are read so; a body of known length comes in pieces of what has arrived. */
  @Override
  public BufferData readBuffer(int length) {
    if (length > MOST_BYTES) {
      throw RequestException.builder()
          .type(DirectHandler.EventType.BAD_REQUEST)
          .status(Status.REQUEST_ENTITY_TOO_LARGE_413)
          .message("A chunk is too large")
          .setKeepAlive(false)
          .build();
    }
    return super.readBuffer(length);
  }

  private record Bounded(ConnectionContext below, DataReader dataReader)
      implements ConnectionContext {

    @Override
    public ListenerContext listenerContext() {
      return below.listenerContext();
    }

    @Override
    public ExecutorService executor() {
      return below.executor();
    }

    @Override
    public DataWriter dataWriter() {
      return below.dataWriter();
    }

    @Override
    public Router router() {
      return below.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
      return below.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
      return below.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
      return below.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
      return below.localPeer();
    }

    @Override
    public boolean isSecure() {
      return below.isSecure();
    }

    @Override
    public String socketId() {
      return below.socketId();
    }

    @Override
    public String childSocketId() {
      return below.childSocketId();
    }
  }
}
