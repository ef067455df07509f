package dev.millrace.service.tenants;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A {@code .tar.gz} that is made as it is read. Nothing is kept of what was read, however many
 * files there are, and nothing is made that nobody asks for.
 */
final class TarStream extends InputStream {

  private static final int CHUNK_BYTES = 64 << 10;

  private final Iterator<Part> parts;
  private final Made made = new Made();
  private final TarArchiveOutputStream tar;
  private @Nullable InputStream content;
  private int read;
  private boolean whole;

  TarStream(Iterator<Part> parts) {
    this.parts = parts;
    try {
      this.tar = new TarArchiveOutputStream(new GZIPOutputStream(made), "UTF-8");
    } catch (IOException e) {
      throw new IllegalStateException("memory can't be written to", e);
    }
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
  }

  /** A file of the archive. */
  record Part(String name, long size, InputStream content) {

    static Part of(String name, String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new Part(name, bytes.length, new ByteArrayInputStream(bytes));
    }
  }

  /** What was made and not read yet. */
  private static final class Made extends ByteArrayOutputStream {
    int copy(int from, byte[] target, int offset, int length) {
      int most = Math.min(length, count - from);
      System.arraycopy(buf, from, target, offset, most);
      return most;
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    while (read == made.size()) {
      if (whole) {
        return -1;
      }
      made.reset();
      read = 0;
      make();
    }
    int count = made.copy(read, target, offset, length);
    read += count;
    return count;
  }

  /** Trouble with what is put in is trouble with what is read. */
  private void make() throws IOException {
    try {
      more();
    } catch (RuntimeException e) {
      throw new IOException("the archive could not be made to its end", e);
    }
  }

  /** A little more of it, perhaps too little to come out of the compression yet. */
  private void more() throws IOException {
    if (content != null) {
      byte[] chunk = content.readNBytes(CHUNK_BYTES);
      tar.write(chunk);
      if (chunk.length < CHUNK_BYTES) {
        endPart();
      }
    } else if (parts.hasNext()) {
      Part part = parts.next();
      content = part.content();
      TarArchiveEntry entry = new TarArchiveEntry(part.name());
      entry.setSize(part.size());
      tar.putArchiveEntry(entry);
    } else {
      tar.close();
      whole = true;
    }
  }

  /** Fails if it was shorter than it was said to be: what would be read is no archive. */
  private void endPart() throws IOException {
    tar.closeArchiveEntry();
    closeContent();
  }

  private void closeContent() throws IOException {
    InputStream open = content;
    content = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() throws IOException {
    closeContent();
  }
}
