package dev.millrace.worker.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A part of a file as the body of a request. It is read again for every try. */
public final class FileSlice {

  private FileSlice() {}

  /** Exactly these bytes, sent with their length. */
  public static BodyPublisher of(Path file, long offset, long length) {
    return BodyPublishers.fromPublisher(
        BodyPublishers.ofInputStream(() -> open(file, offset, length)), length);
  }

  private static InputStream open(Path file, long offset, long length) {
    try {
      SeekableByteChannel channel = Files.newByteChannel(file);
      channel.position(offset);
      return new Bounded(Channels.newInputStream(channel), length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Bounded extends FilterInputStream {

    private long left;

    Bounded(InputStream in, long length) {
      super(in);
      this.left = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (left <= 0) {
        return length == 0 ? 0 : -1;
      }
      int read = super.read(bytes, offset, (int) Math.min(length, left));
      left -= Math.max(0, read);
      return read;
    }

    @Override
    public int available() throws IOException {
      return (int) Math.min(super.available(), left);
    }
  }
}
