package dev.millrace.service.webhooks;

import dev.millrace.engine.lifecycle.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The portable contract's privacy rules for what leaves the server by itself. They name what may be
 * in a message, and how it must look; what is not named may not. A second look goes over every text
 * for what must never get out, in case a rule above is widened one day.
 */
final class PayloadRules {

  private static final int LONGEST = 2_000;

  private static final Predicate<JsonNode> ID =
      text("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Map<String, Predicate<JsonNode>> MESSAGE =
      Map.of(
          "type",
          PayloadRules::isType,
          "timestamp",
          text("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z"),
          "data",
          JsonNode::isObject);

  private static final Map<String, Predicate<JsonNode>> DATA =
      Map.of(
          "job_id",
          ID,
          "webhook_id",
          ID,
          "sequence",
          number(1, Integer.MAX_VALUE),
          "state",
          PayloadRules::isState,
          "previous_state",
          PayloadRules::isState,
          "progress",
          number(0, 100),
          "attempt",
          number(0, Integer.MAX_VALUE),
          "error_code",
          text("[a-z][a-z0-9_]{0,49}"));

  /** Tokens, credentials, URLs, keys of objects, and bytes written as text. */
  private static final List<Pattern> FORBIDDEN =
      Stream.of(
              "://",
              "\\bwhsec_",
              "\\bmrw?_[A-Za-z0-9]",
              "(?i)\\bbearer\\b",
              "\\b(sk|pk|rk)[-_](live|test|proj|ant)?",
              "\\br8_",
              "\\b(AKIA|ASIA)[A-Z0-9]{8}",
              "\\beyJ[A-Za-z0-9_-]{8}",
              "(?i)x-amz-",
              "(?i)(^|/)tenants/",
              "(?i)data:[a-z]+/",
              "[A-Za-z0-9+/]{80}")
          .map(Pattern::compile)
          .toList();

  private PayloadRules() {}

  /** What speaks against sending this; empty if it may be sent. */
  static List<String> objections(String payload) {
    if (payload.length() > LONGEST) {
      return List.of("it is longer than " + LONGEST + " characters");
    }
    try {
      JsonNode json = JsonMapper.shared().readTree(payload);
      List<String> objections = new ArrayList<>();
      look(json, MESSAGE, objections);
      if (json.path("data") instanceof ObjectNode data) {
        look(data, DATA, objections);
      }
      if (FORBIDDEN.stream().anyMatch(pattern -> pattern.matcher(payload).find())) {
        objections.add("it has a token, a URL, a key or bytes in it");
      }
      return objections;
    } catch (JacksonException e) {
      return List.of("it is not JSON");
    }
  }

  /** The values stay out of the words, for they may be secrets. */
  private static void look(
      JsonNode json, Map<String, Predicate<JsonNode>> allowed, List<String> objections) {
    if (!(json instanceof ObjectNode object)) {
      objections.add("it is not an object");
      return;
    }
    object.forEachEntry((name, value) -> {
      Predicate<JsonNode> rule = allowed.get(name);
      if (rule == null) {
        objections.add("a field that is not named in the rules");
      } else if (!rule.test(value)) {
        objections.add(name + " does not look as it must");
      }
    });
  }

  private static boolean isState(JsonNode value) {
    return value.isString()
        && Arrays.stream(State.values()).anyMatch(s -> s.label().equals(value.stringValue()));
  }

  private static boolean isType(JsonNode value) {
    return value.isString()
        && (EventTypes.all().contains(value.stringValue())
            || value.stringValue().equals(EventTypes.TEST));
  }

  private static Predicate<JsonNode> text(String pattern) {
    Pattern form = Pattern.compile(pattern);
    return value -> value.isString() && form.matcher(value.stringValue()).matches();
  }

  private static Predicate<JsonNode> number(int least, int most) {
    return value ->
        value.isIntegralNumber()
            && value.canConvertToInt()
            && value.intValue() >= least
            && value.intValue() <= most;
  }
}
