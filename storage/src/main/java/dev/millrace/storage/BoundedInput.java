package dev.millrace.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends after so many bytes, or earlier if the stream below does. */
public final class BoundedInput extends FilterInputStream {

  private long left;

  public BoundedInput(InputStream in, long length) {
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
    if (read > 0) {
      left -= read;
    }
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = super.skip(Math.min(count, left));
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(super.available(), left);
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
