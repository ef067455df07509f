package dev.millrace.web.http;

/** A step around a handler: it may refuse, answer by itself, or change the answer. */
@FunctionalInterface
public interface Filter {
  Response apply(Request request, RouteHandler next) throws Exception;

  /** The given handler with this step in front of it. */
  default RouteHandler around(RouteHandler handler) {
    return request -> apply(request, handler);
  }
}
