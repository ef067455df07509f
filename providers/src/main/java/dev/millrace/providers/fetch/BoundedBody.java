package dev.millrace.providers.fetch;

import dev.millrace.providers.fetch.FetchResult.Excess;
import dev.millrace.providers.fetch.FetchResult.Phase;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A body that ends with a {@link FetchTrouble} when it is too long, or grows too much while it is
 * decompressed: a few kilobytes can hold gigabytes.
 */
final class BoundedBody extends InputStream {

  /** Text of a page rarely shrinks to less than a twentieth. */
  private static final long MOST_GROWTH = 100;

  private static final long NOT_WORTH_A_LOOK = 1 << 20;

  private final Counted sent;
  private final boolean compressed;
  private final long most;
  private final FetchDeadline deadline;
  private @Nullable InputStream content;
  private long given;

  BoundedBody(InputStream sent, boolean compressed, long most, FetchDeadline deadline) {
    this.sent = new Counted(sent);
    this.compressed = compressed;
    this.most = most;
    this.deadline = deadline;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int count;
    try {
      count = content().read(into, offset, length);
    } catch (IOException e) {
      throw Wire.trouble(e, deadline, Phase.READ);
    }
    if (count > 0) {
      given += count;
      if (given > most || sent.count > most) {
        throw FetchTrouble.tooLarge(Excess.BODY);
      }
      if (compressed && given > NOT_WORTH_A_LOOK && given / MOST_GROWTH > sent.count) {
        throw FetchTrouble.tooLarge(Excess.COMPRESSION);
      }
    }
    return count;
  }

  /** A decompressor reads the head of the content at once, so it isn't made before it is asked. */
  private InputStream content() throws IOException {
    InputStream known = content;
    if (known == null) {
      known = compressed ? new GZIPInputStream(sent) : sent;
      content = known;
    }
    return known;
  }

  private static final class Counted extends FilterInputStream {

    private long count;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      count += next < 0 ? 0 : 1;
      return next;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      count += Math.max(0, read);
      return read;
    }
  }
}
