package dev.millrace.web.http;

import dev.millrace.web.http.Problem.Violation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Thrown by a handler or filter to refuse a request. It is an answer, so it is never logged. */
@SuppressWarnings("serial")
public final class ProblemException extends RuntimeException {
  private final Problem problem;
  private final Map<String, String> headers = new LinkedHashMap<>();

  public ProblemException(Problem problem) {
    // A refusal is ordinary control flow at the edge; a stack trace would only cost time.
    super(problem.code() + ": " + problem.detail(), null, false, false);
    this.problem = problem;
  }

  public ProblemException(int status, String code, String detail) {
    this(Problem.of(status, code, detail));
  }

  public static ProblemException notFound() {
    return new ProblemException(404, "not_found", "There is nothing here.");
  }

  public static ProblemException invalid(String path, String message) {
    return new ProblemException(Problem.invalid(List.of(new Violation(path, message))));
  }

  /** For what is wrong with the HTTP message itself rather than with its content. */
  public static ProblemException badRequest(String detail) {
    return new ProblemException(400, "bad_request", detail);
  }

  public static ProblemException tooLarge() {
    return new ProblemException(413, "payload_too_large", "The request body is too large.");
  }

  /** Adds a header to the answer, such as {@code Retry-After}. */
  public ProblemException header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  public Problem problem() {
    return problem;
  }

  /** What its answer says besides the problem. */
  public Map<String, String> headers() {
    return Collections.unmodifiableMap(headers);
  }

  /** The whole answer. */
  public Response response() {
    Response response = Response.problem(problem);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      response = response.header(header.getKey(), header.getValue());
    }
    return response;
  }
}
