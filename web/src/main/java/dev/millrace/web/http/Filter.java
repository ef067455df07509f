package dev.millrace.web.http;

/** A step around a handler: it may refuse, answer by itself, or change the answer. */
@FunctionalInterface
public interface Filter {
  Response apply(Request request, Handler next) throws Exception;

  /** The given handler with this step in front of it. */
  default Handler around(Handler handler) {
    return request -> apply(request, handler);
  }
}
