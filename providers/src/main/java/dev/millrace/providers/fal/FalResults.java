package dev.millrace.providers.fal;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.providers.wire.OutputReader;
import dev.millrace.providers.wire.WireJson;
import dev.millrace.spi.provider.Outcome;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Reads what fal says at the end of work, and on the way there. */
final class FalResults {

  /** Kinds of error that are fal's own trouble and not the input's. */
  private static final Pattern PASSING =
      Pattern.compile(
          "request_timeout|startup_timeout|runner_.*|internal_error|internal_server_error"
              + "|downstream_service_.*|generation_timeout|service_unavailable");

  private static final Set<String> SAFETY =
      Set.of("content_policy_violation", "nsfw_content_detected");
  private static final Pattern PERCENT = Pattern.compile("\\b([0-9]{1,3})%\\|");
  private static final int LAST_LOGS = 50;
  private static final int END_OF_MESSAGE = 2_000;

  private final OutputReader outputs =
      new OutputReader(_ -> Map.of(), key -> key.equals("url") || key.endsWith("_url"));

  Outcome succeeded(JsonNode result) {
    try {
      return new Outcome.Succeeded(outputs.read(result), Map.of());
    } catch (OutputReader.Unreadable e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    }
  }

  /**
   * What an error means.
   *
   * @param body with {@code detail}: a text, or a list of errors with {@code msg} and {@code type}
   * @param type fal's own word for the error, or nothing
   */
  Outcome failed(JsonNode body, Optional<String> type, Optional<String> error) {
    Set<String> types = new TreeSet<>();
    type.ifPresent(types::add);
    for (JsonNode detail : body.path("detail").values()) {
      WireJson.text(detail, "type").ifPresent(types::add);
    }
    if (types.stream().anyMatch(SAFETY::contains)) {
      return new Outcome.Rejected("safety");
    }
    if (types.contains("client_cancelled")) {
      return new Outcome.Canceled();
    }
    String words = words(body).or(() -> error.map(OwnerText::line)).orElse("");
    if (types.stream().anyMatch(name -> PASSING.matcher(name).matches())) {
      return new Outcome.Unavailable(
          words.isEmpty() ? "The service broke down." : "The service broke down: " + words,
          Optional.empty());
    }
    return new Outcome.Failed(words.isEmpty() ? "The model failed without saying why." : words);
  }

  /** The words of an error, whichever of its shapes it has. */
  static Optional<String> words(JsonNode body) {
    JsonNode detail = body.path("detail");
    StringBuilder words = new StringBuilder();
    WireJson.text(detail).ifPresent(words::append);
    for (JsonNode one : detail.values()) {
      WireJson.text(one, "msg").ifPresent(text -> words.append(text).append(". "));
    }
    return Optional.of(OwnerText.line(words.toString())).filter(text -> !text.isEmpty());
  }

  private static String end(String message) {
    return message.substring(Math.max(0, message.length() - END_OF_MESSAGE));
  }

  /** The last progress bar in the logs. */
  OptionalInt percent(JsonNode status) {
    JsonNode logs = status.path("logs");
    OptionalInt last = OptionalInt.empty();
    for (int i = Math.max(0, logs.size() - LAST_LOGS); i < logs.size(); i++) {
      Matcher bars = PERCENT.matcher(end(logs.path(i).path("message").asString("")));
      while (bars.find()) {
        last = OptionalInt.of(Integer.parseInt(bars.group(1)));
      }
    }
    return last;
  }
}
