package dev.millrace.providers.openai;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the data of server-sent events, one by one. Names, ids and comments are passed over. */
final class ServerSentEvents {

  private static final int LONGEST_EVENT = 4 << 20;

  private final InputStream in;
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
    @Nullable StringBuilder data = null;
    while (true) {
      String line = line();
      if (line == null) {
        return null;
      }
      if (line.isEmpty()) {
        if (data != null) {
          return data.toString();
        }
      } else if (line.startsWith("data:")) {
        String value = line.substring(line.startsWith("data: ") ? 6 : 5);
        data = data == null ? new StringBuilder(value) : data.append('\n').append(value);
        if (data.length() > LONGEST_EVENT) {
          throw new TooLong();
        }
      }
    }
  }

  /** Bytes up to the end of the line: a character may come in several pieces. */
  private @Nullable String line() throws IOException {
    if (over) {
      return null;
    }
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      int next = in.read();
      if (next < 0) {
        over = true;
        return null;
      }
      if (next == '\n') {
        return line.toString(StandardCharsets.UTF_8).replace("\r", "");
      }
      line.write(next);
      if (line.size() > LONGEST_EVENT) {
        throw new TooLong();
      }
    }
  }
}
