package dev.millrace.web.http.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The rest of a chunked answer. Every write is a chunk, which leaves at once. */
final class Chunks extends OutputStream {
  private static final byte[] LAST = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final DataWriter wire;

  Chunks(DataWriter wire) {
    this.wire = wire;
  }

  @Override
  public void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    if (length == 0) {
      return; // An empty chunk would be the last.
    }
    String size = Integer.toHexString(length);
    BufferData chunk = BufferData.create(size.length() + length + 4);
    chunk.writeAscii(size);
    chunk.write('\r').write('\n');
    chunk.write(bytes, offset, length);
    chunk.write('\r').write('\n');
    wire.writeNow(chunk);
  }

  /** Says that the answer is complete; without it the client knows that the stream broke. */
  @Override
  public void close() {
    wire.writeNow(BufferData.create(LAST));
  }
}
