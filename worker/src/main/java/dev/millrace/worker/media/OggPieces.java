package dev.millrace.worker.media;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pages of an Ogg. The second packet of a stream is its comments. They become none, and what they
 * took becomes padding; the sums of the pages that they are in are made anew.
 */
final class OggPieces {

  private static final int HEADER = 27;
  private static final int SUM = 22;
  private static final int FIRST = 0x02;
  private static final int POLYNOMIAL = 0x04c11db7;

  /** Where a page is. */
  private record Page(long at, int length) {}

  /** A part of a packet. */
  private record Part(Page page, long at, int length) {}

  /** What was seen of a stream until its comments are over. */
  private static final class Stream {
    private int packet;
    private byte[] identification = new byte[0];
    private final List<Part> comments = new ArrayList<>();
  }

  private final Map<Long, Stream> beginning = new HashMap<>();
  private final Bytes file;
  private final boolean change;

  private OggPieces(Bytes file, boolean change) {
    this.file = file;
    this.change = change;
  }

  static void blank(Bytes file) throws IOException, Broken {
    // All of it is looked at before anything is changed.
    new OggPieces(file, false).walk();
    new OggPieces(file, true).walk();
  }

  private void walk() throws IOException, Broken {
    for (long at = 0; at < file.size(); ) {
      file.require(at, HEADER);
      if (!file.latin1(at, 4).equals("OggS")) {
        throw new Broken("no page");
      }
      int segments = file.unsigned(at + HEADER - 1);
      file.require(at + HEADER, segments);
      byte[] lengths = file.get(at + HEADER, segments);
      int data = 0;
      for (byte length : lengths) {
        data += length & 0xff;
      }
      Page page = new Page(at, HEADER + segments + data);
      file.require(at, page.length());
      long serial = file.number(at + 14, 4, ByteOrder.LITTLE_ENDIAN);
      if ((file.unsigned(at + 5) & FIRST) != 0) {
        beginning.put(serial, new Stream());
      }
      Stream stream = beginning.get(serial);
      if (stream != null && read(stream, page, lengths)) {
        beginning.remove(serial);
      }
      at += page.length();
    }
    if (!beginning.isEmpty()) {
      throw new Broken("a stream ends before its comments do");
    }
  }

  /** True once the comments of the stream are over. */
  private boolean read(Stream stream, Page page, byte[] lengths) throws IOException, Broken {
    long at = page.at() + HEADER + lengths.length;
    for (byte each : lengths) {
      int length = each & 0xff;
      if (stream.packet == 1) {
        stream.comments.add(new Part(page, at, length));
      } else if (stream.identification.length == 0) {
        stream.identification = file.get(at, Math.min(length, 16));
      }
      at += length;
      if (length < 255 && ++stream.packet == 2) {
        blank(stream);
        return true;
      }
    }
    return false;
  }

  private void blank(Stream stream) throws IOException, Broken {
    Optional<byte[]> none = noComments(stream);
    if (none.isEmpty()) {
      return;
    }
    int length = stream.comments.stream().mapToInt(Part::length).sum();
    if (length < none.get().length) {
      throw new Broken("no comments");
    }
    if (!change) {
      return;
    }
    ByteBuffer packet = ByteBuffer.allocate(length).put(none.get()).rewind();
    for (Part part : stream.comments) {
      byte[] bytes = new byte[part.length()];
      packet.get(bytes);
      file.put(part.at(), bytes);
    }
    for (Page page : stream.comments.stream().map(Part::page).distinct().toList()) {
      sum(page);
    }
  }

  /** What comments begin with that have neither an author nor an entry; empty if it has none. */
  private Optional<byte[]> noComments(Stream stream) throws IOException {
    String codec = new String(stream.identification, StandardCharsets.ISO_8859_1);
    if (codec.startsWith("OpusHead")) {
      return Optional.of(latin1("OpusTags\0\0\0\0\0\0\0\0"));
    }
    if (codec.startsWith("\1vorbis")) {
      return Optional.of(latin1("\3vorbis\0\0\0\0\0\0\0\0\1"));
    }
    if (codec.startsWith("\u0080theora")) {
      return Optional.of(latin1("\u0081theora\0\0\0\0\0\0\0\0"));
    }
    if (codec.startsWith("Speex   ")) {
      return Optional.of(new byte[8]);
    }
    if (codec.startsWith("\u007fFLAC") && stream.comments.getFirst().length() >= 4) {
      byte[] block = file.get(stream.comments.getFirst().at(), 4);
      return Optional.of(ByteBuffer.allocate(12).put(block).array());
    }
    return Optional.empty();
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private void sum(Page page) throws IOException {
    file.put(page.at() + SUM, new byte[4]);
    int sum = 0;
    for (byte each : file.get(page.at(), page.length())) {
      sum ^= each << 24;
      for (int bit = 0; bit < 8; bit++) {
        sum = sum < 0 ? (sum << 1) ^ POLYNOMIAL : sum << 1;
      }
    }
    byte[] bytes = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(sum).array();
    file.put(page.at() + SUM, bytes);
  }
}
