package dev.millrace.worker.media;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Set;

/** Chunks of a WebP: those stay that say how it looks. */
final class WebpPieces {

  private static final int HEADER = 12;
  private static final int FRAME = 8;
  private static final int EXIF_OR_XMP = 0x08 | 0x04;
  private static final Set<String> LOOKS =
      Set.of("VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP");

  private static final Set<String> PICTURES = Set.of("VP8 ", "VP8L", "ANMF");

  private WebpPieces() {}

  static void copy(Bytes in, FileChannel out) throws IOException, Broken {
    long end = FRAME + in.number(4, 4, ByteOrder.LITTLE_ENDIAN);
    in.require(0, end);
    in.copy(0, HEADER, out);
    boolean picture = false;
    for (long at = HEADER; at < end; ) {
      in.require(at, FRAME);
      long length = in.number(at + 4, 4, ByteOrder.LITTLE_ENDIAN);
      in.require(at, FRAME + length);
      // A chunk of an odd length is filled up, which the last one of some writers isn't.
      long whole = Math.min(FRAME + length + length % 2, in.size() - at);
      String type = in.latin1(at, 4);
      picture |= PICTURES.contains(type);
      if (type.equals("VP8X") && length >= 1) {
        in.copy(at, FRAME, out);
        int flags = in.unsigned(at + FRAME) & ~EXIF_OR_XMP;
        write(out, new byte[] {(byte) flags});
        in.copy(at + FRAME + 1, whole - FRAME - 1, out);
      } else if (LOOKS.contains(type)) {
        in.copy(at, whole, out);
      }
      at += whole;
    }
    if (!picture) {
      throw new Broken("no picture");
    }
    long size = out.position() - FRAME;
    out.position(4);
    write(out, ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt((int) size).array());
  }

  private static void write(FileChannel out, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      out.write(buffer);
    }
  }
}
