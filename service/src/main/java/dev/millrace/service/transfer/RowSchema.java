package dev.millrace.service.transfer;

import dev.millrace.service.catalogue.GivenSchema;
import dev.millrace.service.catalogue.InputViolation;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes an object of a row's cells, and holds it against the schema of a row. A cell is a text
 * unless the schema says that its column has numbers, truths or lists; an empty one is left out.
 */
final class RowSchema {

  private static final JsonNodeFactory JSON = JsonMapper.shared().getNodeFactory();
  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,18}");
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?[0-9]{1,30}(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?");

  private final Map<String, String> types = new HashMap<>();
  private final @Nullable GivenSchema schema;

  /**
   * Reads the schema.
   *
   * @param schema null for any row
   * @throws GivenSchema.Refused if it is none, or does what a row's schema must not
   */
  RowSchema(@Nullable ObjectNode schema) throws GivenSchema.Refused {
    this.schema = schema == null ? null : GivenSchema.of(schema);
    if (schema != null) {
      schema
          .path("properties")
          .properties()
          .forEach(
              each -> types.put(each.getKey(), each.getValue().path("type").asString("string")));
    }
  }

  /** What a row is. */
  sealed interface Reading {
    record Good(ObjectNode data) implements Reading {}

    record Bad(@Nullable String field, String message) implements Reading {}
  }

  Reading read(List<String> header, List<String> cells) {
    ObjectNode data = JSON.objectNode();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i).strip();
      if (!cell.isEmpty()) {
        String name = header.get(i);
        data.set(name, value(types.getOrDefault(name, "string"), cell));
      }
    }
    List<InputViolation> violations = schema == null ? List.of() : schema.violations(data);
    if (violations.isEmpty()) {
      return new Reading.Good(data);
    }
    InputViolation first = violations.getFirst();
    return new Reading.Bad(
        first.steps().isEmpty() ? null : first.steps().getFirst().toString(), first.complaint());
  }

  /** What can't be read as its type stays a text, which the schema then refuses. */
  private static JsonNode value(String type, String cell) {
    return switch (type) {
      case "integer" ->
          WHOLE.matcher(cell).matches()
              ? JSON.numberNode(Long.parseLong(cell))
              : JSON.stringNode(cell);
      case "number" ->
          DECIMAL.matcher(cell).matches()
              ? JSON.numberNode(new BigDecimal(cell))
              : JSON.stringNode(cell);
      case "boolean" ->
          switch (cell.toLowerCase(Locale.ROOT)) {
            case "true" -> JSON.booleanNode(true);
            case "false" -> JSON.booleanNode(false);
            default -> JSON.stringNode(cell);
          };
      case "array" -> {
        var list = JSON.arrayNode();
        for (String part : cell.split("\\|", -1)) {
          if (!part.isBlank()) {
            list.add(part.strip());
          }
        }
        yield list;
      }
      default -> JSON.stringNode(cell);
    };
  }
}
