package dev.millrace.web.http;

/** What follows the headers of an answer. */
public sealed interface ResponseBody {

  /** Nothing. */
  record Empty() implements ResponseBody {}

  /** Bytes in memory. */
  final class Bytes implements ResponseBody {
    private final byte[] content;

    Bytes(byte[] content) {
      this.content = content;
    }

    public byte[] content() {
      return content;
    }
  }

  /**
   * Bytes from somewhere else.
   *
   * @param length negative if it is not known
   */
  record Stream(long length, ContentSource source) implements ResponseBody {}

  /** Events until the source returns. */
  record Sse(SseSource source) implements ResponseBody {}
}
