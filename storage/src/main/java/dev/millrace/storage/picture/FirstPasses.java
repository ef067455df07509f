package dev.millrace.storage.picture;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Ends a JPEG after its first passes. A JPEG comes in any number of passes over the whole picture,
 * and each may be a few bytes long; a decoder goes through all of them, also if it was asked for
 * few. Where a file ends early, a decoder makes do with what it has.
 *
 * <p>Markers are found as the decoder finds them, so that none is hidden from here that it sees: in
 * doubt something is taken for a marker.
 */
final class FirstPasses extends FilterInputStream {

  private static final int START_OF_SCAN = 0xda;

  /** Where in a segment the picture's size is, after its length. */
  private static final int SIZE_AT = 3;

  private static final int SIZE_END = 7;

  /** Where a frame says how many components it has, after the size. */
  private static final int COMPONENTS_AT = 8;

  /** Where a pass says how many of them it brings. */
  private static final int PASS_COMPONENTS_AT = 3;

  private long mostPasses = 1;
  private int passes;
  private boolean ended;
  private boolean afterFf;
  private int marker;

  /** How many bytes of the current segment were seen; negative outside of segments. */
  private int at = -1;

  private int length;
  private long size;
  private int components;
  private boolean heldWhole;

  FirstPasses(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int count) throws IOException {
    if (ended) {
      return -1;
    }
    int read = super.read(bytes, offset, count);
    for (int i = 0; i < read; i++) {
      see(bytes[offset + i] & 0xff);
      if (ended) {
        // The byte before may be on its way; it begins a marker that doesn't come.
        return i == 0 ? -1 : i;
      }
    }
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = 0;
    while (skipped < count && read() >= 0) {
      skipped++;
    }
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /**
   * Whether a decoder has to hold the whole picture, outside of the heap and whatever is thinned
   * out, because each pass brings only a part of every pixel. Known once the header was read.
   */
  boolean heldWhole() {
    return heldWhole;
  }

  private void see(int next) {
    if (at >= 0) {
      segment(next);
    } else if (afterFf && next != 0xff) {
      afterFf = false;
      marker(next);
    } else {
      afterFf = next == 0xff;
    }
  }

  private void marker(int next) {
    if (next == START_OF_SCAN && ++passes > mostPasses) {
      ended = true;
    }
    boolean alone = next < 0xc0 || (next >= 0xd0 && next <= 0xd9);
    if (!alone) {
      marker = next;
      at = 0;
      length = 0;
      size = 0;
    }
  }

  private void segment(int next) {
    at++;
    if (at <= 2) {
      length = length << 8 | next;
    } else if (at > SIZE_AT && at <= SIZE_END) {
      size = size << 8 | next;
    }
    if (at == SIZE_END && isFrame(marker)) {
      long pixels = (size >> 16) * (size & 0xffff);
      mostPasses = Thumbnails.mostPasses(Math.max(1, pixels));
      heldWhole |= isProgressive(marker);
    } else if (at == COMPONENTS_AT && isFrame(marker)) {
      components = next;
    } else if (at == PASS_COMPONENTS_AT && marker == START_OF_SCAN) {
      heldWhole |= next < components;
    }
    if (at >= 2 && at >= length) {
      at = -1;
    }
  }

  private static boolean isProgressive(int frame) {
    return (frame & 3) == 2;
  }

  private static boolean isFrame(int marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
  }
}
