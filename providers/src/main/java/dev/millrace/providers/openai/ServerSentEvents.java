package dev.millrace.providers.openai;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data of server-sent events, one by one. Names, ids and comments are passed over.
 *
 * <p>A line may end with LF, CR or both, and the stream may begin with a byte order mark, as the
 * HTML standard allows. What ends with CR is given at once: whether LF follows is only looked at
 * when more is read, since that may be much later.
 */
final class ServerSentEvents {

  private static final int LONGEST_EVENT = 4 << 20;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final InputStream in;
  private boolean begun;
  private boolean afterReturn;
  private boolean over;

  ServerSentEvents(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /** An event that is longer than any that makes sense. */
  @SuppressWarnings("serial")
  static final class TooLong extends IOException {
    TooLong() {
      super("an event is too long");
    }
  }

  /** The next event's data, or null at the end; an event that was cut off is dropped. */
  @Nullable String next() throws IOException {
    StringBuilder data = new StringBuilder();
    boolean several = false;
    for (String line = line(); line != null; line = line()) {
      if (line.isEmpty()) {
        if (!data.isEmpty()) {
          return data.toString();
        }
        several = false;
      } else if (line.equals("data") || line.startsWith("data:")) {
        String value = line.length() <= 5 ? "" : line.substring(line.charAt(5) == ' ' ? 6 : 5);
        data.append(several ? "\n" : "").append(value);
        several = true;
        if (data.length() > LONGEST_EVENT) {
          throw new TooLong();
        }
      }
    }
    return null;
  }

  /** Bytes up to the end of the line: a character may come in several pieces. */
  private @Nullable String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (!over) {
      int next = in.read();
      boolean secondHalf = afterReturn && next == '\n';
      afterReturn = next == '\r';
      if (next < 0) {
        over = true;
      } else if (next == '\n' || next == '\r') {
        if (!secondHalf) {
          return text(line.toByteArray());
        }
      } else {
        line.write(next);
        if (line.size() > LONGEST_EVENT) {
          throw new TooLong();
        }
      }
    }
    return null;
  }

  /** The first line may begin with a mark that isn't a part of it. */
  private String text(byte[] line) {
    int mark = BYTE_ORDER_MARK.length;
    boolean marked =
        !begun && line.length >= mark && Arrays.equals(line, 0, mark, BYTE_ORDER_MARK, 0, mark);
    begun = true;
    return marked
        ? new String(line, mark, line.length - mark, StandardCharsets.UTF_8)
        : new String(line, StandardCharsets.UTF_8);
  }
}
