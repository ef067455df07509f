package dev.millrace.web.http;

/** Produces the events of one stream on the thread of its request; the stream ends on return. */
@FunctionalInterface
public interface SseSource {
  void run(SseSink sink) throws Exception;
}
