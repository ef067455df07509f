package dev.millrace.worker.media;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Boxes of an MP4 and its relatives. Samples are found by their place in the file, so boxes with
 * metadata become free space of the same size.
 */
final class Mp4Pieces {

  private static final int MOST_BOXES = 100_000;
  private static final Set<String> CONTAINERS = Set.of("moov", "trak", "moof", "traf");
  private static final Set<String> WITHIN = Set.of("udta", "meta", "uuid");

  private int boxes;

  private Mp4Pieces() {}

  static void blank(Bytes file) throws IOException, Broken {
    // All of it is looked at before anything is changed.
    new Mp4Pieces().walk(file, 0, file.size(), false, false);
    new Mp4Pieces().walk(file, 0, file.size(), false, true);
  }

  private void walk(Bytes file, long start, long end, boolean inside, boolean change)
      throws IOException, Broken {
    for (long at = start; at < end; ) {
      if (++boxes > MOST_BOXES || end - at < 8) {
        throw new Broken("no box");
      }
      long size = file.number(at, 4);
      int header = 8;
      if (size == 1) {
        file.require(at, 16);
        size = file.number(at + 8, 8);
        header = 16;
      } else if (size == 0) {
        size = end - at;
      }
      if (size < header || size > end - at) {
        throw new Broken("a box ends after what it is in");
      }
      String type = file.latin1(at + 4, 4);
      if (CONTAINERS.contains(type)) {
        walk(file, at + header, at + size, true, change);
      } else if (change && (inside ? WITHIN.contains(type) : type.equals("uuid"))) {
        file.put(at + 4, "free".getBytes(StandardCharsets.US_ASCII));
        file.zero(at + header, size - header);
      }
      at += size;
    }
  }
}
