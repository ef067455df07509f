package dev.millrace.providers.replicate;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.providers.wire.OutputReader;
import dev.millrace.providers.wire.Replies;
import dev.millrace.providers.wire.WireJson;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Usage;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A prediction as Replicate tells it: the same in an answer to create, get and cancel, in a list
 * and in a webhook.
 */
final class Prediction {

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  /** What progress bars leave in the logs: {@code 25%|##5 | 1/4}. */
  private static final Pattern PERCENT = Pattern.compile("\\b([0-9]{1,3})%\\|");

  private static final int END_OF_LOGS = 4_000;

  private final ObjectNode node;
  private final String id;

  private Prediction(ObjectNode node, String id) {
    this.node = node;
    this.id = id;
  }

  /** Reads one; empty if it isn't one. */
  static Optional<Prediction> read(JsonNode node) {
    return node instanceof ObjectNode object
        ? WireJson.text(object, "id")
            .filter(Prediction::isId)
            .filter(_ -> object.path("status").isString())
            .map(id -> new Prediction(object, id))
        : Optional.empty();
  }

  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  String id() {
    return id;
  }

  String status() {
    return node.path("status").asString();
  }

  /** Where its webhooks go, if it says so. */
  Optional<String> webhook() {
    return WireJson.text(node, "webhook");
  }

  JsonNode input() {
    return node.path("input");
  }

  boolean dataRemoved() {
    return node.path("data_removed").asBoolean(false);
  }

  Optional<Instant> createdAt() {
    return WireJson.text(node, "created_at").flatMap(Prediction::time);
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /**
   * How it stands.
   *
   * @param askAfter when to ask again, if it goes on
   */
  Standing standing(OutputReader outputs, Duration askAfter) {
    return switch (status()) {
      case "starting" ->
          new Standing.Going(OptionalInt.empty(), "starting", "Waiting for a machine", askAfter);
      case "processing" ->
          new Standing.Going(percent(), "processing", "The model is running", askAfter);
      case "succeeded" -> new Standing.Ended(succeeded(outputs), usage());
      case "failed" -> new Standing.Ended(Errors.outcome(error()), usage());
      case "canceled" -> new Standing.Ended(new Outcome.Canceled(), usage());
      case "aborted" ->
          new Standing.Ended(
              new Outcome.Unavailable(
                  "The service found no machine before the deadline.", Optional.empty()),
              usage());
      default -> Replies.noAnswer("The service says a status that is not known here.");
    };
  }

  private Outcome succeeded(OutputReader outputs) {
    if (dataRemoved()) {
      return new Outcome.Unavailable(
          "The output was removed before it was collected.", Optional.empty());
    }
    try {
      return new Outcome.Succeeded(outputs.read(node.path("output")), Map.of());
    } catch (OutputReader.Unreadable e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    }
  }

  private String error() {
    JsonNode error = node.path("error");
    if (error.isString()) {
      return error.stringValue();
    }
    return error.isNull() || error.isMissingNode() ? "" : OwnerText.line(error.toString());
  }

  private OptionalInt percent() {
    String logs = node.path("logs").asString("");
    Matcher bars = PERCENT.matcher(logs.substring(Math.max(0, logs.length() - END_OF_LOGS)));
    OptionalInt last = OptionalInt.empty();
    while (bars.find()) {
      last = OptionalInt.of(Integer.parseInt(bars.group(1)));
    }
    return last;
  }

  Usage usage() {
    return Usage.of(WireJson.numbers(node.path("metrics")), "predict_time");
  }
}
