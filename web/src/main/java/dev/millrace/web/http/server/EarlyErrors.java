package dev.millrace.web.http.server;

import dev.millrace.web.http.JsonBytes;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.RequestIds;
import dev.millrace.web.http.Response;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the web server refuses before a request reaches our routing, such as a broken
 * request line. Its own message may quote the request, so it is only looked at, never sent.
 */
final class EarlyErrors implements DirectHandler {
  static DirectHandlers forAllEvents() {
    DirectHandlers.Builder builder = DirectHandlers.builder();
    for (EventType type : EventType.values()) {
      builder.addHandler(type, new EarlyErrors());
    }
    return builder.build();
  }

  @Override
  public TransportResponse handle(
      TransportRequest request,
      EventType type,
      Status status,
      ServerResponseHeaders headers,
      @Nullable String message) {
    Problem problem = problem(status.code(), message);
    Response response = Response.problem(problem);
    return TransportResponse.builder()
        .status(Status.create(problem.status()))
        .header(HeaderNames.CONTENT_TYPE, response.header("Content-Type").orElseThrow())
        .header(HeaderNames.CACHE_CONTROL, "no-store")
        .header(HeaderNames.create("X-Content-Type-Options"), "nosniff")
        .header(HeaderNames.create(RequestIds.HEADER), RequestIds.create())
        .entity(JsonBytes.bytes(problem.members()))
        .keepAlive(false)
        .build();
  }

  private static Problem problem(int status, @Nullable String message) {
    // The web server reports headers that are too large only in the words of its message.
    if (status == 400 && "Header size exceeded".equals(message)) {
      return Problem.of(431, "headers_too_large", "The request headers are too large.");
    }
    return switch (status) {
      case 413 -> ProblemException.tooLarge().problem();
      case 414 -> Problem.of(414, "uri_too_long", "The request target is too long.");
      case 500 -> Problem.of(500, "internal", "Something went wrong on our side.");
      case 501 -> Problem.of(501, "not_implemented", "This transfer encoding is not known here.");
      case 503 -> Problem.of(503, "overloaded", "The server is busy.");
      case 505 -> Problem.of(505, "http_version_not_supported", "Only HTTP/1.1 is spoken here.");
      default -> Problem.of(400, "bad_request", "The request is not proper HTTP.");
    };
  }
}
