package dev.millrace.cli.api;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes JSON trees. Absent, null and mistyped fields read as empty or zero. */
public final class ApiJson {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private ApiJson() {}

  /** Parses exactly one JSON value. */
  public static JsonNode parse(String text) throws JacksonException {
    return MAPPER.readTree(text);
  }

  static JsonNode parse(byte[] bytes) throws JacksonException {
    return MAPPER.readTree(bytes);
  }

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  public static ArrayNode array() {
    return MAPPER.createArrayNode();
  }

  static byte[] bytes(JsonNode node) {
    return line(node).getBytes(StandardCharsets.UTF_8);
  }

  /** The value on one line. */
  public static String line(JsonNode node) {
    return MAPPER.writeValueAsString(node);
  }

  /** The value, indented for people. */
  public static String pretty(JsonNode node) {
    return MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(node);
  }

  /** The field as text: a string as it is, a number or a boolean as written, otherwise empty. */
  public static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isValueNode() && !value.isNull() ? value.asString("") : "";
  }

  public static long number(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isNumber() ? value.asLong(0) : 0;
  }

  public static BigDecimal decimal(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isNumber() ? value.decimalValue() : BigDecimal.ZERO;
  }

  public static boolean truth(JsonNode node, String field) {
    return node.path(field).asBoolean(false);
  }
}
