package dev.millrace.web.http.server;

import dev.millrace.web.http.RequestIds;
import dev.millrace.web.http.SseSource;
import dev.millrace.web.http.Watchdog;
import java.io.OutputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** The open streams of a server, so that its shutdown can wake them all. */
final class SseStreams {
  private static final Logger log = LoggerFactory.getLogger(SseStreams.class);

  private final Set<SseStream> open = ConcurrentHashMap.newKeySet();
  private final Watchdog watchdog;
  private volatile boolean closing;

  /** The watchdog's time is for one write, so that a client that stops reading is let go. */
  SseStreams(Watchdog watchdog) {
    this.watchdog = watchdog;
  }

  /**
   * Runs a stream to its end, on this thread. Its opening is sent already.
   *
   * @param out closed only by a stream that comes to a good end
   */
  void run(SseSource source, String requestId, OutputStream out) {
    SseStream stream = new SseStream(out, watchdog);
    open.add(stream);
    if (closing) {
      stream.close();
    }
    try (var _ = MDC.putCloseable(RequestIds.MDC_KEY, requestId)) {
      run(source, stream);
    } finally {
      open.remove(stream);
    }
  }

  private static void run(SseSource source, SseStream stream) {
    try {
      // During a shutdown the stream is 200 and ends at once: any other status would make
      // clients give up for good, while after this they connect again.
      if (!stream.closing()) {
        source.run(stream);
      }
      stream.end();
    } catch (Exception e) {
      if (!stream.gone() && !stream.closing()) {
        Dispatcher.incident("an event stream", e);
      }
    }
  }

  boolean closing() {
    return closing;
  }

  void close() {
    closing = true;
    for (SseStream stream : open) {
      try {
        stream.close();
      } catch (RuntimeException e) {
        // One waker's bug must not keep the other streams, and with them the shutdown, waiting.
        log.warn("A stream could not be woken for the shutdown", e);
      }
    }
  }
}
