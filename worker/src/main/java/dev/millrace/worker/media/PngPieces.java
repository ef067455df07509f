package dev.millrace.worker.media;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Set;

/** Chunks of a PNG: those stay that say how it looks, also when it moves. */
final class PngPieces {

  private static final int SIGNATURE = 8;
  private static final int FRAME = 12;

  /** What isn't here and needn't be understood goes: texts, Exif, and ComfyUI's own. */
  private static final Set<String> LOOKS =
      Set.of(
          "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "hIST",
          "pHYs", "sPLT", "acTL", "fcTL", "fdAT");

  private PngPieces() {}

  static void copy(Bytes in, FileChannel out) throws IOException, Broken {
    in.copy(0, SIGNATURE, out);
    long at = SIGNATURE;
    String type = "";
    while (!type.equals("IEND")) {
      in.require(at, FRAME);
      long length = in.number(at, 4);
      in.require(at, FRAME + length);
      type = in.latin1(at + 4, 4);
      if (Character.isUpperCase(type.charAt(0)) || LOOKS.contains(type)) {
        in.copy(at, FRAME + length, out);
      }
      at += FRAME + length;
    }
  }
}
