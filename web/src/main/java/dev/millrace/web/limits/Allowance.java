package dev.millrace.web.limits;

import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import java.util.Optional;

/**
 * What the buckets of a key and of its tenant said to one request, and how the answer tells the
 * client (the RateLimit fields of draft-ietf-httpapi-ratelimit-headers).
 *
 * @param granted whether the request may go on
 * @param fields empty if nothing is limited
 */
public record Allowance(boolean granted, Optional<Fields> fields) {

  static final Allowance UNLIMITED = new Allowance(true, Optional.empty());

  /**
   * What the headers say.
   *
   * @param name {@code default} for what one key may ask, {@code tenant} for all keys of a tenant
   * @param remaining how many more requests could follow at once
   * @param seconds until the bucket is full again or, if it is empty, until the next request
   */
  record Fields(String name, long perMinute, long remaining, long seconds) {

    String policy() {
      return "\"%s\";q=%d;w=60".formatted(name, perMinute);
    }

    String state() {
      return "\"%s\";r=%d;t=%d".formatted(name, remaining, seconds);
    }
  }

  /** Whether a client has more to mind here than there. */
  boolean stricterThan(Allowance other) {
    return granted != other.granted
        ? !granted
        : fields.isPresent()
            && other.fields.map(f -> f.remaining > fields.get().remaining).orElse(true);
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
