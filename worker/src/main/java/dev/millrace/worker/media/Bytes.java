package dev.millrace.worker.media;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/** A file by places in it. Never more than a few bytes of it are in memory. */
final class Bytes {

  private static final int BLANK = 64 * 1024;

  private final FileChannel channel;
  private final long size;

  Bytes(FileChannel channel) throws IOException {
    this.channel = channel;
    this.size = channel.size();
  }

  long size() {
    return size;
  }

  byte[] get(long at, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) < 0) {
        throw new IOException("the file became shorter");
      }
    }
    return buffer.array();
  }

  int unsigned(long at) throws IOException {
    return get(at, 1)[0] & 0xff;
  }

  long number(long at, int length, ByteOrder order) throws IOException {
    byte[] bytes = get(at, length);
    long number = 0;
    for (int i = 0; i < length; i++) {
      int place = order == ByteOrder.BIG_ENDIAN ? i : length - 1 - i;
      number = (number << 8) | (bytes[place] & 0xff);
    }
    return number;
  }

  /** In network order, as most formats have it. */
  long number(long at, int length) throws IOException {
    return number(at, length, ByteOrder.BIG_ENDIAN);
  }

  String latin1(long at, int length) throws IOException {
    return new String(get(at, length), StandardCharsets.ISO_8859_1);
  }

  /** All of it or nothing is within the file. */
  void require(long at, long length) throws Broken {
    if (at < 0 || length < 0 || length > size - at) {
      throw new Broken("a piece ends after the file");
    }
  }

  void copy(long at, long length, FileChannel out) throws IOException {
    long left = length;
    while (left > 0) {
      long copied = channel.transferTo(at + length - left, left, out);
      if (copied <= 0) {
        throw new IOException("the file became shorter");
      }
      left -= copied;
    }
  }

  void put(long at, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer, at + buffer.position());
    }
  }

  void zero(long at, long length) throws IOException {
    for (long done = 0; done < length; done += BLANK) {
      put(at + done, new byte[(int) Math.min(BLANK, length - done)]);
    }
  }
}
