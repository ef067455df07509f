package dev.millrace.providers.openai;

import dev.millrace.providers.fetch.Content;
import dev.millrace.providers.fetch.FetchHeaders;
import dev.millrace.providers.fetch.FetchResult;
import dev.millrace.providers.wire.WireJson;
import dev.millrace.spi.provider.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the service's answers mean, the bad ones above all. Its own words are never passed on.
 *
 * <p>A call does its work while it lasts, and can't be asked for afterwards. Only a clear refusal
 * says that nothing was made. Whatever else comes (any 5xx, a timeout, a conflict, a cut, an answer
 * that can't be read) is uncertain, in whose words it may be: gateways write JSON as well, and a
 * service can break down after the work was done and billed.
 */
final class Answers {

  static final JsonMapper JSON = WireJson.LARGE;

  private static final Set<String> SAFETY =
      Set.of(
          "content_policy_violation",
          "content_filter",
          "moderation_blocked",
          "responsibleaipolicyviolation",
          "safety_violation",
          "invalid_prompt");

  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9_.\\[\\]-]{0,59}");
  private static final int LONGEST_DIGITS = 9;

  private Answers() {}

  /** Reads JSON, or nothing if it isn't. */
  static Optional<JsonNode> json(Content content) {
    try {
      return Optional.ofNullable(JSON.readTree(content.stream())).filter(JsonNode::isObject);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** An answer that isn't a success. */
  static Outcome bad(int status, FetchHeaders headers, Content body) {
    JsonNode error = json(body).map(Answers::error).orElse(null);
    Optional<String> safety = safety(error);
    if (safety.isPresent()) {
      return new Outcome.Rejected(safety.get());
    }
    Optional<Duration> pause = pause(headers);
    return switch (status) {
      case 401, 402, 403 ->
          // Users may name models; one that this account may not use is no trouble of the service.
          "model_not_found".equals(word(error, "code"))
              ? new Outcome.Failed("The provider does not know this model or service.")
              : new Outcome.Unavailable("The provider does not accept this server's key.", pause);
      case 404 -> new Outcome.Failed("The provider does not know this model or service.");
      case 429 ->
          "insufficient_quota".equals(word(error, "code"))
              ? new Outcome.Unavailable("The provider's account is used up.", pause)
              : new Outcome.Throttled(pause);
      case 408, 409, 423, 424, 425, 499 -> broken(status, pause);
      default ->
          status >= 400 && status < 500
              ? new Outcome.Failed("The provider refused the request" + why(error) + ".")
              : broken(status, pause);
    };
  }

  private static Outcome broken(int status, Optional<Duration> pause) {
    return new Outcome.Uncertain("The provider answered " + status + ".", pause);
  }

  /** An error in an answer that had begun as a success: a part may have been made and billed. */
  static Outcome late(JsonNode error) {
    return safety(error)
        .<Outcome>map(Outcome.Rejected::new)
        .orElseGet(() ->
            new Outcome.Uncertain("The provider broke down" + why(error) + ".", Optional.empty()));
  }

  static Outcome garbage() {
    return new Outcome.Uncertain("The provider answered something that can't be understood.");
  }

  static Outcome brokenOff() {
    return new Outcome.Uncertain("The provider's answer broke off.");
  }

  /** No answer at all. */
  static Outcome missing(FetchResult.Trouble trouble) {
    return switch (trouble) {
      case FetchResult.Stopped() -> new Outcome.Canceled();
      case FetchResult.TimedOut(FetchResult.Phase phase)
          when phase == FetchResult.Phase.NAME || phase == FetchResult.Phase.CONNECT ->
          unreachable();
      // How long it takes is up to the model and the question, which users name.
      case FetchResult.TimedOut _ -> Outcome.Uncertain.blameless("The provider took too long.");
      case FetchResult.TooLarge _ ->
          new Outcome.Failed("The provider's answer is larger than can be taken.");
      case FetchResult.Unreachable(FetchResult.Gap gap) ->
          switch (gap) {
            case NAME, CONNECT, TLS -> unreachable();
            case ENCODING -> garbage();
            case BROKEN -> brokenOff();
          };
      case FetchResult.Refused _ -> unreachable();
    };
  }

  /** Nothing was sent. */
  private static Outcome unreachable() {
    return new Outcome.Unavailable("The provider can't be reached.", Optional.empty());
  }

  /** The error of an answer: an object, a sentence, or the first of several. */
  static @Nullable JsonNode error(JsonNode answer) {
    JsonNode error = answer.path("error");
    if (error.isMissingNode() || error.isNull()) {
      error = answer.path("errors").path(0);
    }
    return error.isMissingNode() || error.isNull() ? null : error;
  }

  private static Optional<String> safety(@Nullable JsonNode error) {
    if (error == null) {
      return Optional.empty();
    }
    return Stream.of(
            text(error.path("code")),
            text(error.path("type")),
            text(error.path("innererror").path("code")))
        .map(word -> word.toLowerCase(Locale.ROOT))
        .filter(SAFETY::contains)
        .findFirst();
  }

  /** A code and the parameter it is about, if they are single words and so can't carry much. */
  private static String why(@Nullable JsonNode error) {
    List<String> words =
        Stream.of(word(error, "code"), word(error, "param"))
            .filter(word -> !word.isEmpty())
            .toList();
    return words.isEmpty() ? "" : " (" + String.join(", ", words) + ")";
  }

  private static String word(@Nullable JsonNode error, String name) {
    String word = error == null ? "" : text(error.path(name)).toLowerCase(Locale.ROOT);
    return WORD.matcher(word).matches() ? word : "";
  }

  static String text(JsonNode node) {
    return node.isString() ? node.stringValue() : "";
  }

  private static Optional<Duration> pause(FetchHeaders headers) {
    return headers
        .first("Retry-After-Ms")
        .filter(text -> text.matches("[0-9]{1," + LONGEST_DIGITS + "}"))
        .map(text -> Duration.ofMillis(Long.parseLong(text)))
        .or(headers::retryAfter);
  }
}
