package dev.millrace.worker.media;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;

/** Elements of a WebM or Matroska: tags and attachments become void ones of the same size. */
final class WebmPieces {

  private static final long SEGMENT = 0x18538067L;
  private static final long INFO = 0x1549A966L;
  private static final Set<Long> GO = Set.of(0x1254C367L, 0x1941A469L);
  private static final long TITLE = 0x7BA9L;
  private static final byte VOID = (byte) 0xEC;
  private static final int MOST_ELEMENTS = 10_000_000;

  private int elements;

  private WebmPieces() {}

  static void blank(Bytes file) throws IOException, Broken {
    // All of it is looked at before anything is changed.
    new WebmPieces().walk(file, 0, file.size(), Set.of(), false);
    new WebmPieces().walk(file, 0, file.size(), Set.of(), true);
  }

  private void walk(Bytes file, long start, long end, Set<Long> go, boolean change)
      throws IOException, Broken {
    for (long at = start; at < end; ) {
      if (++elements > MOST_ELEMENTS) {
        throw new Broken("too many elements");
      }
      int idLength = length(file, at, end, 4);
      long id = file.number(at, idLength);
      long sizeAt = at + idLength;
      int sizeLength = length(file, sizeAt, end, 8);
      long mask = (1L << (7 * sizeLength)) - 1;
      long size = file.number(sizeAt, sizeLength) & mask;
      long data = sizeAt + sizeLength;
      // Of what is still being written nobody knows the size; it goes on to the end.
      boolean unknown = size == mask;
      long next = unknown ? end : data + size;
      if (next < data || next > end) {
        throw new Broken("an element ends after what it is in");
      }
      if (id == SEGMENT) {
        walk(file, data, next, GO, change);
      } else if (id == INFO && !unknown) {
        walk(file, data, next, Set.of(TITLE), change);
      } else if (change && go.contains(id)) {
        blank(file, at, next - at);
      }
      at = next;
    }
  }

  private static void blank(Bytes file, long at, long whole) throws IOException {
    if (whole >= 9) {
      file.put(at, ByteBuffer.allocate(9).put(VOID).putLong((1L << 56) | (whole - 9)).array());
      file.zero(at + 9, whole - 9);
    } else if (whole >= 2) {
      file.put(at, new byte[] {VOID, (byte) (0x80 | (whole - 2))});
      file.zero(at + 2, whole - 2);
    }
  }

  /** How many bytes a number has, by its first one. */
  private static int length(Bytes file, long at, long end, int most) throws IOException, Broken {
    if (at >= end) {
      throw new Broken("no element");
    }
    int length = Integer.numberOfLeadingZeros(file.unsigned(at)) - 23;
    if (length > most || at + length > end) {
      throw new Broken("no element");
    }
    return length;
  }
}
