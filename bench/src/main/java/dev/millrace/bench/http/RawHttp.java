package dev.millrace.bench.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** One connection that is kept, with one request at a time. */
public final class RawHttp implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 60_000;

  private final Socket socket = new Socket();
  private final OutputStream out;
  private final InputStream in;
  private byte[] buffer = new byte[16 << 10];
  private int filled;

  public RawHttp(int port) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    out = socket.getOutputStream();
    in = socket.getInputStream();
  }

  /** What came back. */
  public record Answer(int status, String body) {

    /** The text of the first field with this name, wherever it is. */
    public String text(String field) {
      String mark = "\"" + field + "\":\"";
      int start = body.indexOf(mark);
      if (start < 0) {
        throw new IllegalStateException("no " + field + " in " + body);
      }
      return body.substring(start + mark.length(), body.indexOf('"', start + mark.length()));
    }

    public boolean has(String field) {
      return body.contains("\"" + field + "\":\"");
    }

    /** This answer, if it has the status. */
    public Answer require(int wanted) {
      if (status != wanted) {
        throw new IllegalStateException("answered " + status + ": " + body);
      }
      return this;
    }
  }

  /** The start of every request of one kind by one caller; only the body changes. */
  public static String head(String method, String path, String... headers) {
    StringBuilder head =
        new StringBuilder(method)
            .append(' ')
            .append(path)
            .append(" HTTP/1.1\r\nHost: localhost\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.toString();
  }

  public Answer post(String head, String body) throws IOException {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    String whole =
        head + "Content-Type: application/json\r\nContent-Length: " + content.length + "\r\n\r\n";
    byte[] start = whole.getBytes(StandardCharsets.ISO_8859_1);
    byte[] request = Arrays.copyOf(start, start.length + content.length);
    System.arraycopy(content, 0, request, start.length, content.length);
    out.write(request);
    return answer();
  }

  private Answer answer() throws IOException {
    filled = 0;
    int end = -1;
    int searched = 0;
    while (end < 0) {
      fill();
      end = endOfHead(searched);
      searched = Math.max(0, filled - 3);
    }
    String head = new String(buffer, 0, end, StandardCharsets.ISO_8859_1);
    int status = Integer.parseInt(head.substring(9, 12));
    int length = contentLength(head, status);
    while (filled < end + length) {
      fill();
    }
    return new Answer(status, new String(buffer, end, length, StandardCharsets.UTF_8));
  }

  private void fill() throws IOException {
    if (filled == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int read = in.read(buffer, filled, buffer.length - filled);
    if (read < 0) {
      throw new EOFException("the server hung up");
    }
    filled += read;
  }

  private int endOfHead(int from) {
    for (int i = from; i + 3 < filled; i++) {
      if (buffer[i] == '\r'
          && buffer[i + 1] == '\n'
          && buffer[i + 2] == '\r'
          && buffer[i + 3] == '\n') {
        return i + 4;
      }
    }
    return -1;
  }

  private static int contentLength(String head, int status) {
    String lower = head.toLowerCase(Locale.ROOT);
    int at = lower.indexOf("\r\ncontent-length:");
    if (at >= 0) {
      int start = at + "\r\ncontent-length:".length();
      return Integer.parseInt(lower.substring(start, lower.indexOf('\r', start)).strip());
    }
    if (status == 204 || status == 304) {
      return 0;
    }
    throw new IllegalStateException("an answer without a length: " + head);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
