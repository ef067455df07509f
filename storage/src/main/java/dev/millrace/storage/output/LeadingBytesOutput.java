package dev.millrace.storage.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Passes everything on, and keeps the first bytes to be looked at. */
final class LeadingBytesOutput extends FilterOutputStream {

  private final byte[] head = new byte[Magic.HEAD_BYTES];
  private int kept;

  LeadingBytesOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
    int more = Math.min(length, head.length - kept);
    System.arraycopy(bytes, offset, head, kept, more);
    kept += more;
  }

  byte[] head() {
    return Arrays.copyOf(head, kept);
  }
}
