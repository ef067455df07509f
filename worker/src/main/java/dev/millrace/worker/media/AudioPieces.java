package dev.millrace.worker.media;

import java.io.IOException;
import java.util.Set;

/** Tags of audio files become padding of the same size. */
final class AudioPieces {

  private static final int PADDING = 1;
  private static final int ID3_HEADER = 10;

  /** What programs note, comments and pictures. */
  private static final Set<Integer> FLAC_GO = Set.of(2, 4, 6);

  private AudioPieces() {}

  static void blankFlac(Bytes file) throws IOException, Broken {
    flac(file, false);
    flac(file, true);
  }

  private static void flac(Bytes file, boolean change) throws IOException, Broken {
    boolean last = false;
    for (long at = 4; !last; ) {
      file.require(at, 4);
      int first = file.unsigned(at);
      last = (first & 0x80) != 0;
      long length = file.number(at + 1, 3);
      file.require(at + 4, length);
      if (change && FLAC_GO.contains(first & 0x7f)) {
        file.put(at, new byte[] {(byte) ((first & 0x80) | PADDING)});
        file.zero(at + 4, length);
      }
      at += 4 + length;
    }
  }

  static void blankMp3(Bytes file) throws IOException, Broken {
    long length = 0;
    for (byte part : file.get(6, 4)) {
      if (part < 0) {
        throw new Broken("no length");
      }
      length = (length << 7) | part;
    }
    file.require(ID3_HEADER, length);
    // Without flags there is no other header, so that nothing but padding follows.
    file.put(5, new byte[1]);
    file.zero(ID3_HEADER, length);
    if (file.size() >= 128 && file.latin1(file.size() - 128, 3).equals("TAG")) {
      file.zero(file.size() - 125, 125);
    }
  }
}
