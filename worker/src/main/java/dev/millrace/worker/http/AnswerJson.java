package dev.millrace.worker.http;

import java.util.Map;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes JSON. */
public final class AnswerJson {

  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

  private AnswerJson() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** What the text says; a missing node if it isn't JSON. */
  public static JsonNode read(byte[] text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      return node == null ? MissingNode.getInstance() : node;
    } catch (JacksonException _) {
      return MissingNode.getInstance();
    }
  }

  public static byte[] write(Object value) {
    return MAPPER.writeValueAsBytes(value);
  }

  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** Plain values: strings, numbers, booleans, lists, maps. What is null at the top is left out. */
  public static Map<String, Object> map(JsonNode object) {
    if (!object.isObject()) {
      return Map.of();
    }
    Map<String, Object> map = MAPPER.convertValue(object, MAP);
    map.values().removeIf(Objects::isNull);
    return map;
  }
}
