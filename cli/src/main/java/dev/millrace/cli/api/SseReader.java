package dev.millrace.cli.api;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events as the HTML standard describes them.
 *
 * <p>Only a blank line makes a frame count. What was half sent when the connection ended is dropped
 * together with its id, so that the next connection asks for it again. A frame with an id and no
 * data moves the cursor without being an event.
 */
final class SseReader {

  /** No line and no frame of ours comes near this; without a bound a bad peer could fill memory. */
  static final int LONGEST_FRAME_BYTES = 4 * 1024 * 1024;

  private static final int END = -1;

  private final InputStream in;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
  private boolean first = true;
  private boolean skipLineFeed;

  private String lastEventId;
  private Optional<Duration> retry = Optional.empty();

  /**
   * Reads from the start of a connection.
   *
   * @param in should be buffered, because it is read byte by byte
   * @param lastEventId where the previous connection stopped, or empty
   */
  SseReader(InputStream in, String lastEventId) {
    this.in = in;
    this.lastEventId = lastEventId;
  }

  /** The cursor to send as Last-Event-ID; empty if there is none. */
  String lastEventId() {
    return lastEventId;
  }

  /** How long the server wants a client to wait before it connects again. */
  Optional<Duration> retry() {
    return retry;
  }

  /** The next event; null when the stream has ended. */
  @Nullable SseFrame next() throws IOException {
    StringBuilder data = new StringBuilder();
    String event = "";
    String id = lastEventId;
    boolean hasData = false;
    while (true) {
      String text = readLine();
      if (text == null) {
        return null;
      }
      if (text.isEmpty()) {
        lastEventId = id;
        if (hasData) {
          return new SseFrame(id, event.isEmpty() ? "message" : event, data.toString());
        }
        event = "";
        continue;
      }
      int colon = text.indexOf(':');
      String field = colon < 0 ? text : text.substring(0, colon);
      String value = colon < 0 ? "" : text.substring(colon + 1);
      if (value.startsWith(" ")) {
        value = value.substring(1);
      }
      switch (field) {
        case "data" -> {
          if (hasData) {
            data.append('\n');
          }
          data.append(value);
          hasData = true;
          if (data.length() > LONGEST_FRAME_BYTES) {
            throw new IOException("an event is longer than " + LONGEST_FRAME_BYTES);
          }
        }
        case "event" -> event = value;
        case "id" -> id = value.indexOf('\0') < 0 ? value : id;
        case "retry" -> retry = millis(value).or(() -> retry);
        default -> {
          // A comment (no field name) or a field from the future.
        }
      }
    }
  }

  private static Optional<Duration> millis(String value) {
    boolean digits = !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits && value.length() <= 15
        ? Optional.of(Duration.ofMillis(Long.parseLong(value)))
        : Optional.empty();
  }

  /**
   * Reads up to CR, LF or CRLF. The LF of a CRLF is skipped when the next line is read, because
   * waiting for it would hold back an event that is already complete.
   */
  private @Nullable String readLine() throws IOException {
    line.reset();
    while (true) {
      int next = in.read();
      if (next == END) {
        return null;
      }
      boolean secondHalf = skipLineFeed && next == '\n';
      skipLineFeed = false;
      if (secondHalf) {
        continue;
      }
      if (next == '\n' || next == '\r') {
        skipLineFeed = next == '\r';
        return decode();
      }
      line.write(next);
      if (line.size() > LONGEST_FRAME_BYTES) {
        throw new IOException("a line is longer than " + LONGEST_FRAME_BYTES);
      }
    }
  }

  private String decode() {
    String text = line.toString(StandardCharsets.UTF_8);
    if (first) {
      first = false;
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
    return text;
  }
}
