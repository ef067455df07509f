package dev.millrace.worker.media;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * Blocks of a GIF: comments go, and what programs note for themselves, but not how often it loops.
 */
final class GifPieces {

  private static final int HEADER = 13;
  private static final int EXTENSION = 0x21;
  private static final int IMAGE = 0x2c;
  private static final int TRAILER = 0x3b;
  private static final int COMMENT = 0xfe;
  private static final int APPLICATION = 0xff;

  private GifPieces() {}

  static void copy(Bytes in, FileChannel out) throws IOException, Broken {
    in.require(0, HEADER);
    long at = HEADER + colours(in.unsigned(10));
    in.require(0, at);
    in.copy(0, at, out);
    while (true) {
      in.require(at, 1);
      int kind = in.unsigned(at);
      if (kind == TRAILER) {
        in.copy(at, 1, out);
        return;
      }
      long end = end(in, at, kind);
      if (kind == IMAGE || stays(in, at)) {
        in.copy(at, end - at, out);
      }
      at = end;
    }
  }

  private static long end(Bytes in, long at, int kind) throws IOException, Broken {
    if (kind == EXTENSION) {
      in.require(at, 2);
      return blocks(in, at + 2);
    }
    if (kind != IMAGE) {
      throw new Broken("no block");
    }
    in.require(at, 11);
    return blocks(in, at + 11 + colours(in.unsigned(at + 9)));
  }

  private static boolean stays(Bytes in, long at) throws IOException, Broken {
    int label = in.unsigned(at + 1);
    if (label != APPLICATION) {
      return label != COMMENT;
    }
    in.require(at, 14);
    String name = in.latin1(at + 3, 8);
    return name.equals("NETSCAPE") || name.equals("ANIMEXTS");
  }

  private static long colours(int flags) {
    return (flags & 0x80) == 0 ? 0 : 3L << ((flags & 0x07) + 1);
  }

  /** Where a row of blocks ends. */
  private static long blocks(Bytes in, long start) throws IOException, Broken {
    long at = start;
    while (true) {
      in.require(at, 1);
      int length = in.unsigned(at);
      at += 1 + length;
      if (length == 0) {
        return at;
      }
    }
  }
}
