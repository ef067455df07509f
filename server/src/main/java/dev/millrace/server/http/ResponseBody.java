package dev.millrace.server.http;

import java.io.IOException;
import java.io.InputStream;

/** What follows the headers of an answer. */
public sealed interface ResponseBody {

  /** Opens the content of an answer. The layer closes it. */
  @FunctionalInterface
  interface Source {
    InputStream open() throws IOException;
  }

  /** Nothing. */
  record Empty() implements ResponseBody {}

  /** Bytes in memory. */
  final class Bytes implements ResponseBody {
    private final byte[] content;

    Bytes(byte[] content) {
      this.content = content;
    }

    byte[] content() {
      return content;
    }
  }

  /**
   * Bytes from somewhere else.
   *
   * @param length negative if it is not known
   */
  record Stream(long length, Source source) implements ResponseBody {}

  /** Events until the source returns. */
  record Sse(SseSource source) implements ResponseBody {}
}
