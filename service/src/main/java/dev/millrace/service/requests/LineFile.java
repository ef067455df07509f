package dev.millrace.service.requests;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads a file line by line; no line can be so long that it fills the memory. */
final class LineFile implements AutoCloseable {

  static final int LONGEST = 1 << 20;

  private final InputStream in;
  private final byte[] buffer = new byte[64 << 10];
  private int next;
  private int end;

  LineFile(InputStream in) {
    this.in = in;
  }

  /** A line without what ends it; without anything if it is too long. */
  static final class Line {
    private final byte[] bytes;
    private final boolean tooLong;

    Line(byte[] bytes, boolean tooLong) {
      this.bytes = bytes;
      this.tooLong = tooLong;
    }

    byte[] bytes() {
      return bytes;
    }

    boolean tooLong() {
      return tooLong;
    }

    boolean blank() {
      for (byte b : bytes) {
        if (b != ' ' && b != '\t' && b != '\r') {
          return false;
        }
      }
      return !tooLong;
    }
  }

  /** The next line; empty at the end. */
  Optional<Line> next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean any = false;
    boolean tooLong = false;
    while (true) {
      if (next == end) {
        next = 0;
        end = Math.max(0, in.read(buffer));
        if (end == 0) {
          return any ? Optional.of(new Line(line.toByteArray(), tooLong)) : Optional.empty();
        }
      }
      int from = next;
      while (next < end && buffer[next] != '\n') {
        next++;
      }
      any = true;
      tooLong |= line.size() + (next - from) > LONGEST;
      if (tooLong) {
        line.reset();
      } else {
        line.write(buffer, from, next - from);
      }
      if (next < end) {
        next++;
        return Optional.of(new Line(line.toByteArray(), tooLong));
      }
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
