package dev.millrace.web.http;

import io.helidon.common.buffers.DataReader.InsufficientDataAvailableException;
import io.helidon.http.RequestException;
import io.helidon.http.media.ReadableEntity;
import io.helidon.webserver.CloseConnectionException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads a body within the limits of its route, in size and in the time the client takes. */
public final class RequestBody extends InputStream {
  private static final int STATUS_TOO_LARGE = 413;

  private final ReadableEntity entity;
  private final long declaredBytes;
  private final Watchdog watchdog;
  private long bytesLeft;
  private long nanosLeft;
  private @Nullable InputStream in;
  private boolean broken;

  /**
   * @param declaredBytes the Content-Length, or negative for a chunked body
   */
  public RequestBody(ReadableEntity entity, long declaredBytes, Watchdog watchdog) {
    this.entity = entity;
    this.declaredBytes = declaredBytes;
    this.watchdog = watchdog;
  }

  /** Sets the limits; until then not a byte may be read. */
  public RequestBody within(Route.BodyLimit limit) {
    bytesLeft = limit.maxBytes();
    nanosLeft = limit.within().toNanos();
    return this;
  }

  InputStream stream() {
    refuseIfDeclaredTooLarge();
    return this;
  }

  byte[] readAll() {
    refuseIfDeclaredTooLarge();
    ByteArrayOutputStream all = new ByteArrayOutputStream(Math.clamp(declaredBytes, 64, 8192));
    byte[] buffer = new byte[8192];
    for (int read = read(buffer, 0, buffer.length);
        read >= 0;
        read = read(buffer, 0, buffer.length)) {
      all.write(buffer, 0, read);
    }
    return all.toByteArray();
  }

  private void refuseIfDeclaredTooLarge() {
    if (declaredBytes > bytesLeft) {
      throw ProblemException.tooLarge();
    }
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    int read = readWatched(buffer, offset, length);
    if (read > 0) {
      bytesLeft -= read;
      if (bytesLeft < 0) {
        throw ProblemException.tooLarge();
      }
    }
    return read;
  }

  /** Only the time in which the client keeps us waiting counts, not that of a slow handler. */
  private int readWatched(byte[] buffer, int offset, int length) {
    long start = System.nanoTime();
    try (var _ = watchdog.guard(Duration.ofNanos(nanosLeft))) {
      if (broken) {
        return -1;
      }
      if (in == null) {
        in = entity.inputStream();
      }
      return in.read(buffer, offset, length);
    } catch (IOException
        | UncheckedIOException
        | InsufficientDataAvailableException
        | CloseConnectionException e) {
      broken = true;
      throw new ClientGoneException(e);
    } catch (RuntimeException e) {
      // Whatever else the web server stumbles over is what the client sent.
      broken = true;
      throw e instanceof RequestException refused && refused.status().code() == STATUS_TOO_LARGE
          ? ProblemException.tooLarge()
          : ProblemException.badRequest("The request body is not framed properly.");
    } finally {
      nanosLeft -= System.nanoTime() - start;
    }
  }

  /** True if nothing of the body is left on the connection. */
  public boolean finished() {
    return entity.consumed();
  }

  /**
   * Throws away what the client still sends, so that it finds the answer instead of a reset
   * connection. Both the amount and the time are bounded.
   */
  public void drain(Route.BodyLimit limit) {
    within(limit);
    byte[] buffer = new byte[8192];
    try {
      while (!broken && read(buffer, 0, buffer.length) >= 0) {
        // Nobody wants these bytes.
      }
    } catch (ProblemException | ClientGoneException e) {
      broken = true;
    }
  }
}
