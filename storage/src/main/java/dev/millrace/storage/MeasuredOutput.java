package dev.millrace.storage;

import dev.millrace.contract.digest.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a writer writes an object to: counts, hashes and bounds the bytes.
 *
 * <p>Its own failures are unchecked, so an {@link IOException} out of a writer is always the
 * writer's. They are also remembered, so a writer that ignores one gets no object out of it. A
 * writer may close the stream; the file below stays open until it is durable.
 */
public final class MeasuredOutput extends OutputStream {

  private final String key;
  private final OutputStream file;
  private final long maxBytes;
  private final MessageDigest digest = Sha256.start();
  private long size;
  private boolean closed;
  private @Nullable ObjectStoreException failure;

  public MeasuredOutput(String key, OutputStream file, long maxBytes) {
    this.key = key;
    this.file = file;
    this.maxBytes = maxBytes;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (closed) {
      throw new IOException("the object is already closed");
    }
    throwIfFailed();
    if (length > maxBytes - size) {
      throw remember(new ObjectStoreException.TooLarge(key, maxBytes));
    }
    try {
      file.write(bytes, offset, length);
    } catch (IOException e) {
      throw remember(ObjectStoreException.of("store " + key, e));
    }
    digest.update(bytes, offset, length);
    size += length;
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Ends the writing; whatever went wrong during it is thrown now at the latest. */
  public StoredObject finish(String mediaType) {
    closed = true;
    throwIfFailed();
    return new StoredObject(key, size, Sha256.hex(digest), mediaType);
  }

  private void throwIfFailed() {
    if (failure != null) {
      throw failure;
    }
  }

  private ObjectStoreException remember(ObjectStoreException thrown) {
    failure = thrown;
    return thrown;
  }
}
