package dev.millrace.providers.fetch;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The bytes of an answer. */
public final class Content {

  public static final Content EMPTY = new Content(new byte[0]);

  private final byte[] bytes;

  private Content(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Takes the array over; it must not be changed afterwards. */
  public static Content of(byte[] bytes) {
    return new Content(bytes);
  }

  public int size() {
    return bytes.length;
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public InputStream stream() {
    return new ByteArrayInputStream(bytes);
  }

  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes);
  }

  /** The bytes as UTF-8; what isn't becomes a replacement character. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
