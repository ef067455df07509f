package dev.millrace.providers.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * A service, as its file describes it.
 *
 * @param name the executor name
 */
record Description(
    String name,
    Api api,
    Submit submit,
    Collect collect,
    @Nullable Request cancel,
    @Nullable Find find,
    @Nullable Webhook webhook) {

  /**
   * What all calls have in common.
   *
   * @param headers sent with every request, usually the one that says who asks
   * @param patience for one call
   * @param settlingTime how long after a submit its work may still appear at the service
   */
  record Api(
      URI address, Map<String, Template> headers, Duration patience, Duration settlingTime) {}

  /** One kind of request. */
  record Request(String method, Template path, Map<String, Template> headers) {}

  /**
   * How work is handed over.
   *
   * @param body with placeholders
   * @param reference where the reply has the service's name for the work
   */
  record Submit(
      Request request, JsonNode body, JsonPointer reference, Optional<JsonPointer> error) {}

  /**
   * How work is asked about.
   *
   * @param meanings of the words that the status can be
   */
  record Collect(
      Request request,
      JsonPointer status,
      Map<String, Meaning> meanings,
      JsonPointer output,
      Trouble trouble,
      Optional<JsonPointer> progress,
      Optional<JsonPointer> seconds,
      Duration poll) {}

  /**
   * What a reply says of work that failed.
   *
   * @param error where it says why
   * @param rejectedWords in an error, that tell of a safety filter
   */
  record Trouble(Optional<JsonPointer> error, List<String> rejectedWords) {}

  /** What a status means. */
  enum Meaning {
    GOING,
    SUCCEEDED,
    FAILED,
    UNAVAILABLE,
    REJECTED,
    CANCELED
  }

  /** How a submit whose answer was lost is found again. */
  record Find(Request request, JsonPointer items, JsonPointer match, JsonPointer reference) {}

  /**
   * What the service calls with.
   *
   * @param root where in the body the same thing is that collecting answers
   */
  record Webhook(
      Signing signing,
      JsonPointer root,
      JsonPointer reference,
      Optional<JsonPointer> event,
      Optional<JsonPointer> intent) {}
}
