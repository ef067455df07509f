package dev.millrace.worker.media;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** Segments of a JPEG: comments, Exif, XMP and the like go; colours and the picture stay. */
final class JpegPieces {

  private static final int START_OF_SCAN = 0xda;
  private static final int COMMENT = 0xfe;
  private static final int FIRST_APP = 0xe0;
  private static final int ICC = 0xe2;
  private static final int ADOBE = 0xee;
  private static final int LAST_APP = 0xef;

  private JpegPieces() {}

  static void copy(Bytes in, FileChannel out) throws IOException, Broken {
    in.copy(0, 2, out);
    long at = 2;
    while (true) {
      in.require(at, 4);
      if (in.unsigned(at) != 0xff) {
        throw new Broken("no segment");
      }
      int marker = in.unsigned(at + 1);
      if (marker == 0xff) {
        at++;
        continue;
      }
      if (marker == START_OF_SCAN) {
        in.copy(at, in.size() - at, out);
        return;
      }
      long length = in.number(at + 2, 2);
      if (marker < 0xc0 || length < 2) {
        throw new Broken("no segment");
      }
      in.require(at, 2 + length);
      if (stays(marker)) {
        in.copy(at, 2 + length, out);
      }
      at += 2 + length;
    }
  }

  private static boolean stays(int marker) {
    boolean app = marker >= FIRST_APP && marker <= LAST_APP;
    return marker != COMMENT && (!app || marker == FIRST_APP || marker == ICC || marker == ADOBE);
  }
}
