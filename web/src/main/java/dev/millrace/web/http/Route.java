package dev.millrace.web.http;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One method on one path.
 *
 * @param method such as {@code GET}; a GET route also answers HEAD
 * @param template such as {@code /api/jobs/{id}}, or with a catch-all {@code /api/effects/{slug*}},
 *     after which only literal segments may come
 * @param bodyLimit null for the server's default
 */
public record Route(
    String method, String template, RouteHandler handler, @Nullable BodyLimit bodyLimit) {

  public Route {
    if (!method.equals(method.toUpperCase(Locale.ROOT)) || method.isBlank()) {
      throw new IllegalArgumentException("A method is written in capitals: " + method);
    }
  }

  public Route(String method, String template, RouteHandler handler) {
    this(method, template, handler, null);
  }

  public static Route get(String template, RouteHandler handler) {
    return new Route("GET", template, handler);
  }

  public static Route post(String template, RouteHandler handler) {
    return new Route("POST", template, handler);
  }

  public static Route put(String template, RouteHandler handler) {
    return new Route("PUT", template, handler);
  }

  public static Route delete(String template, RouteHandler handler) {
    return new Route("DELETE", template, handler);
  }

  /** The same route behind a filter. */
  public Route behind(Filter filter) {
    return new Route(method, template, filter.around(handler), bodyLimit);
  }

  /** The same route for bodies of another size, such as uploads. */
  public Route accepting(long maxBytes, Duration within) {
    return new Route(method, template, handler, new BodyLimit(maxBytes, within));
  }

  /**
   * How much body a route takes.
   *
   * @param within how long the client may keep us waiting for the body in total
   */
  public record BodyLimit(long maxBytes, Duration within) {
    public BodyLimit {
      if (maxBytes < 0 || !within.isPositive()) {
        throw new IllegalArgumentException("A body limit must allow something");
      }
    }
  }
}
