package dev.millrace.providers.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what services write, however badly. */
public final class WireJson {

  private static final int DEEPEST = 64;
  private static final Pattern UPPER = Pattern.compile("([a-z0-9])([A-Z])");

  /** A picture may stand in an answer as one text. */
  private static final int LARGEST_TEXT = 128 << 20;

  /** For answers that carry whole files. */
  public static final JsonMapper LARGE = mapper(LARGEST_TEXT);

  private static final JsonMapper MAPPER = mapper(Call.USUAL_BYTES);

  private WireJson() {}

  private static JsonMapper mapper(int longestText) {
    StreamReadConstraints bounds =
        StreamReadConstraints.builder()
            .maxNestingDepth(DEEPEST)
            .maxStringLength(longestText)
            .build();
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(bounds).build()).build();
  }

  /** The object in the text; empty for anything else. */
  public static Optional<ObjectNode> object(String text) {
    return any(text).filter(ObjectNode.class::isInstance).map(ObjectNode.class::cast);
  }

  /** Whatever value is in the text; empty if it is not JSON. */
  public static Optional<JsonNode> any(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      return node == null || node instanceof MissingNode ? Optional.empty() : Optional.of(node);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  public static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** An object as maps, lists and plain values. */
  public static Map<String, Object> plain(ObjectNode object) {
    return MAPPER.convertValue(object, new TypeReference<Map<String, Object>>() {});
  }

  /** A text that is not blank; empty for anything else. */
  public static Optional<String> text(JsonNode node) {
    return node.isString() && !node.stringValue().isBlank()
        ? Optional.of(node.stringValue())
        : Optional.empty();
  }

  /** The text of a key, if it has one that is not blank. */
  public static Optional<String> text(JsonNode node, String key) {
    return text(node.path(key));
  }

  /** The numbers among an object's values, by their name in snake_case. */
  public static Map<String, Double> numbers(JsonNode node) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    for (var property : node.properties()) {
      if (property.getValue().isNumber()) {
        numbers.put(snake(property.getKey()), property.getValue().doubleValue());
      }
    }
    return numbers;
  }

  private static String snake(String name) {
    return UPPER.matcher(name).replaceAll("$1_$2").toLowerCase(java.util.Locale.ROOT);
  }
}
