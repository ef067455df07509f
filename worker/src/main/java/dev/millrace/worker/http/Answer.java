package dev.millrace.worker.http;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What the other side said.
 *
 * @param body as JSON; a missing node if it was none
 * @param text the beginning of the body as text
 * @param tag the {@code ETag} of what the answer is about, or an empty text
 */
public record Answer(
    int status,
    JsonNode body,
    String text,
    Optional<Duration> retryAfter,
    Optional<String> place,
    String tag) {

  /** One without a tag. */
  public Answer(
      int status,
      JsonNode body,
      String text,
      Optional<Duration> retryAfter,
      Optional<String> place) {
    this(status, body, text, retryAfter, place, "");
  }

  public boolean ok() {
    return status >= 200 && status < 300;
  }

  /** Whether the same request may succeed later. */
  public boolean passing() {
    return status == 408 || status == 425 || status == 429 || status >= 500;
  }

  /** The stable code of a problem+json, or an empty text. */
  public String code() {
    return body.path("code").asString("");
  }
}
