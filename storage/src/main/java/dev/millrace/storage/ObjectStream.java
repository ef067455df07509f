package dev.millrace.storage;

import java.io.IOException;
import java.io.InputStream;

/**
 * An open object, or a part of one. Whoever opened it closes it.
 *
 * @param size of the whole object
 * @param length of what the stream yields
 */
public record ObjectStream(InputStream stream, long size, long offset, long length)
    implements AutoCloseable {

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
