package dev.millrace.web.console.studio;

import dev.millrace.web.console.frame.Words;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A form from a JSON Schema, and an input from what was filled in. */
final class SchemaForm {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** A text that may be longer than this gets room. */
  private static final int LONG_TEXT = 200;

  /** Beyond so many steps nobody hits the right one with a slider. */
  private static final int MOST_DIGITS = 100;

  private static final BigDecimal MOST_STEPS = BigDecimal.valueOf(10_000);

  private static final String PREFIX = "in.";

  private SchemaForm() {}

  /**
   * The fields of a form.
   *
   * @param schema an effect's input schema
   * @param values what to start with, instead of the defaults
   * @param wrong complaints by name
   */
  static List<FormField> fields(JsonNode schema, JsonNode values, Map<String, String> wrong) {
    List<FormField> fields = new ArrayList<>();
    List<String> required =
        schema.path("required").values().stream().map(name -> name.asString("")).toList();
    for (Map.Entry<String, JsonNode> entry : schema.path("properties").properties()) {
      String name = entry.getKey();
      JsonNode property = entry.getValue();
      JsonNode value = values.has(name) ? values.path(name) : property.path("default");
      fields.add(
          new FormField(
              name,
              property.path("title").asString(Words.plain(name)),
              property.path("description").asString(""),
              kind(property),
              text(value),
              text(property.path("minimum")),
              text(property.path("maximum")),
              property.path("type").asString("").equals("integer") ? "1" : "any",
              property.path("enum").values().stream().map(SchemaForm::text).toList(),
              property.path("x-file").path("media_types").values().stream()
                  .map(type -> type.asString(""))
                  .collect(Collectors.joining(",")),
              required.contains(name),
              wrong.getOrDefault(name, "")));
    }
    return fields;
  }

  private static String kind(JsonNode property) {
    if (property.path("enum").isArray()) {
      return "choice";
    }
    if (property.path("x-file").isObject()) {
      return "file";
    }
    return switch (property.path("type").asString("")) {
      case "boolean" -> "flag";
      case "integer", "number" -> slides(property) ? "slider" : "number";
      case "string" ->
          property.path("maxLength").asInt(LONG_TEXT + 1) > LONG_TEXT ? "area" : "text";
      default -> "json";
    };
  }

  private static boolean slides(JsonNode property) {
    JsonNode min = property.path("minimum");
    JsonNode max = property.path("maximum");
    return min.isNumber()
        && max.isNumber()
        && max.decimalValue().subtract(min.decimalValue()).compareTo(MOST_STEPS) <= 0;
  }

  private static String text(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    return value.isString() ? value.stringValue() : value.toString();
  }

  /**
   * What was filled in. Empty fields are left out, so that the effect's own defaults apply; what
   * can't be read is passed on as text, and the schema's complaint about it reaches the person.
   */
  static ObjectNode input(JsonNode schema, Map<String, List<String>> form) {
    ObjectNode input = JSON.createObjectNode();
    for (Map.Entry<String, JsonNode> entry : schema.path("properties").properties()) {
      String name = entry.getKey();
      String kind = kind(entry.getValue());
      List<String> sent = form.getOrDefault(PREFIX + name, List.of());
      String text = sent.isEmpty() ? "" : sent.getLast().strip();
      if (kind.equals("flag")) {
        input.put(name, text.equals("on") || text.equals("true"));
      } else if (!text.isEmpty()) {
        input.set(name, value(entry.getValue(), kind, text));
      }
    }
    return input;
  }

  private static JsonNode value(JsonNode property, String kind, String text) {
    @Nullable JsonNode read =
        switch (kind) {
          case "number", "slider" -> number(text);
          case "choice" ->
              property.path("enum").values().stream()
                  .filter(option -> text(option).equals(text))
                  .findFirst()
                  .orElse(null);
          case "json" -> json(text);
          default -> null;
        };
    return read == null ? JSON.getNodeFactory().stringNode(text.replace("\r\n", "\n")) : read;
  }

  /** A few characters can mean a number with a billion digits; nobody wants it written out. */
  private static @Nullable JsonNode number(String text) {
    if (text.length() > MOST_DIGITS) {
      return null;
    }
    try {
      BigDecimal number = new BigDecimal(text);
      if (Math.abs((long) number.scale()) > MOST_DIGITS) {
        return null;
      }
      return number.stripTrailingZeros().scale() <= 0
          ? JSON.getNodeFactory().numberNode(number.toBigIntegerExact())
          : JSON.getNodeFactory().numberNode(number);
    } catch (NumberFormatException | ArithmeticException e) {
      return null;
    }
  }

  private static @Nullable JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      return null;
    }
  }
}
