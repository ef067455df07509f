package dev.millrace.server.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open streams of a server, so that its shutdown can wake them all. */
final class SseStreams {
  private static final Logger log = LoggerFactory.getLogger(SseStreams.class);

  private final Set<SseStream> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  /** A stream that comes while the server shuts down is told so at once. */
  void add(SseStream stream) {
    open.add(stream);
    if (closing) {
      stream.close();
    }
  }

  void remove(SseStream stream) {
    open.remove(stream);
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
