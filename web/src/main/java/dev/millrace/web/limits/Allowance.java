package dev.millrace.web.limits;

import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import java.util.Optional;

/**
 * What a key's bucket said to one request, and how the answer tells the client (the RateLimit
 * fields of draft-ietf-httpapi-ratelimit-headers).
 *
 * @param granted whether the request may go on
 * @param fields empty if nothing is limited
 */
public record Allowance(boolean granted, Optional<Fields> fields) {

  static final Allowance UNLIMITED = new Allowance(true, Optional.empty());

  /**
   * What the headers say.
   *
   * @param remaining how many more requests could follow at once
   * @param seconds until the bucket is full again or, if it is empty, until the next request
   */
  record Fields(long perMinute, long remaining, long seconds) {

    String policy() {
      return "\"default\";q=%d;w=60".formatted(perMinute);
    }

    String state() {
      return "\"default\";r=%d;t=%d".formatted(remaining, seconds);
    }
  }

  /** The answer with the headers. */
  public Response on(Response response) {
    return fields
        .map(f -> response.header("RateLimit-Policy", f.policy()).header("RateLimit", f.state()))
        .orElse(response);
  }

  /** The refusal with the headers. */
  public ProblemException on(ProblemException problem) {
    return fields
        .map(f -> problem.header("RateLimit-Policy", f.policy()).header("RateLimit", f.state()))
        .orElse(problem);
  }

  /** What a request that was not granted is told. */
  public ProblemException refusal() {
    return on(refusal(fields.orElseThrow().seconds()));
  }

  static ProblemException refusal(long seconds) {
    return new ProblemException(
            429, "rate_limited", "Too many requests. Wait as long as Retry-After says.")
        .header("Retry-After", Long.toString(seconds));
  }
}
