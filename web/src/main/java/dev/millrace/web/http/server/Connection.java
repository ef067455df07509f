package dev.millrace.web.http.server;

import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.spi.ServerConnection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Speaks HTTP until a request asks for an event stream, and is that stream from then on. By then
 * the web server has returned, so a stream that waits for hours keeps nothing of its request alive
 * and has a short stack.
 */
final class Connection implements ServerConnection, InterruptableTask<Void> {
  private final DataWriter wire;
  private final SseStreams streams;

  /** Null once the connection is a stream. */
  private volatile @Nullable ServerConnection http;

  private volatile @Nullable Thread thread;

  /**
   * A connection on which nothing was said yet.
   *
   * @param wire where {@code http} writes to
   */
  Connection(ServerConnection http, DataWriter wire, SseStreams streams) {
    this.http = http;
    this.wire = wire;
    this.streams = streams;
  }

  @Override
  public void handle(Limit limit) throws InterruptedException {
    thread = Thread.currentThread();
    StreamBegins begins = speak(limit);
    if (begins != null) {
      streams.run(begins.source(), begins.requestId(), new Chunks(wire));
    }
  }

  private @Nullable StreamBegins speak(Limit limit) throws InterruptedException {
    ServerConnection speaking = http;
    if (speaking == null) {
      throw new IllegalStateException("A connection is handled once");
    }
    try {
      speaking.handle(limit);
      return null;
    } catch (StreamBegins e) {
      http = null;
      return e;
    }
  }

  /** A stream is never idle: it ends when its source says so, or when a write fails. */
  @Override
  public Duration idleTime() {
    ServerConnection speaking = http;
    return speaking == null ? Duration.ZERO : speaking.idleTime();
  }

  @Override
  public boolean canInterrupt() {
    return http instanceof InterruptableTask<?> task && task.canInterrupt();
  }

  @Override
  public void close(boolean interrupt) {
    ServerConnection speaking = http;
    Thread streaming = thread;
    if (speaking != null) {
      speaking.close(interrupt);
    } else if (interrupt && streaming != null) {
      streaming.interrupt();
    }
  }
}
