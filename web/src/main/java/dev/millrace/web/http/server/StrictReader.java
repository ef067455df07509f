package dev.millrace.web.http.server;

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
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * Reads requests more strictly than the web server does. A chunk ends with a line end, or else
 * whoever reads before us may see another request in it than we do. A chunk that is too large is
 * refused before any of it is gathered: the web server holds a chunk in memory as a whole, and its
 * own limit is the largest body of any route, which is that of files.
 *
 * <p>In one thing it is more lenient: the first request of a connection may come from an old client
 * that asks to read something, as health checks of load balancers do. It is taken for a new one
 * that wants the connection closed, and {@link StrictHead} forgives it the missing host.
 */
final class StrictReader extends DataReader {

  /** Far above what clients send at a time. */
  static final int MOST_BYTES = 16 << 20;

  /** The size of a chunk, which nobody writes with more digits. */
  private static final int LONGEST_LINE = 64;

  private static final byte[] OLD = " HTTP/1.0".getBytes(StandardCharsets.US_ASCII);

  private boolean begun;
  private boolean old;
  private boolean inContent;

  /** The web server would rather be asked to create a reader, but then nothing can be refused. */
  @SuppressWarnings("removal")
  private StrictReader(DataReader below) {
    super(() -> {
      below.ensureAvailable();
      return below.readBytes(below.available());
    });
  }

  /** The same connection, read through this. */
  static ConnectionContext of(ConnectionContext context) {
    return new Strict(context, new StrictReader(context.dataReader()));
  }

  /** Whether the one who asks on this connection knows nothing newer than HTTP/1.0. */
  static boolean isOld(ConnectionContext context) {
    return context instanceof Strict strict && strict.dataReader.old;
  }

  /** A request's first line is read so, and of what follows a few headers. */
  @Override
  public byte[] readBytes(int length) {
    byte[] bytes = super.readBytes(length);
    if (!begun) {
      begun = true;
      old = isOld(bytes);
      if (old) {
        bytes[bytes.length - 1] = '1';
      }
    }
    return bytes;
  }

  private static boolean isOld(byte[] line) {
    String start = new String(line, 0, Math.min(5, line.length), StandardCharsets.US_ASCII);
    int end = line.length - OLD.length;
    return (start.startsWith("GET ") || start.startsWith("HEAD "))
        && end > 0
        && Arrays.equals(line, end, line.length, OLD, 0, OLD.length);
  }

  /** The sizes of chunks are read so, and the empty line after the last. */
  @Override
  public String readLine() {
    if (findNewLine(LONGEST_LINE) == LONGEST_LINE) {
      throw refusal(Status.BAD_REQUEST_400, "A chunk has no size");
    }
    String line = super.readLine();
    if (!line.chars().allMatch(HexFormat::isHexDigit)) {
      throw refusal(Status.BAD_REQUEST_400, "A chunk has a size that is none");
    }
    return line;
  }

  /** Chunks are read so; a body of known length comes in pieces of what has arrived. */
  @Override
  public BufferData readBuffer(int length) {
    if (length > MOST_BYTES) {
      throw refusal(Status.REQUEST_ENTITY_TOO_LARGE_413, "A chunk is too large");
    }
    inContent = true;
    try {
      return super.readBuffer(length);
    } finally {
      inContent = false;
    }
  }

  /** Outside of content nothing but line ends has two bytes that are skipped. */
  @Override
  public void skip(int length) {
    if (length == 2 && !inContent && !startsWithNewLine()) {
      throw refusal(Status.BAD_REQUEST_400, "A line end is missing");
    }
    super.skip(length);
  }

  static RequestException refusal(Status status, String message) {
    return RequestException.builder()
        .type(DirectHandler.EventType.BAD_REQUEST)
        .status(status)
        .message(message)
        .setKeepAlive(false)
        .build();
  }

  private record Strict(ConnectionContext below, StrictReader dataReader)
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
