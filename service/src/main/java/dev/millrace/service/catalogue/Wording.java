package dev.millrace.service.catalogue;

import com.networknt.schema.Error;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Says what a schema wants in words for people who don't read JSON Schema. */
final class Wording {

  private Wording() {}

  static String of(Error error) {
    return switch (error.getKeyword()) {
      case "type" -> "must be " + types(error) + ", not " + kind(error.getInstanceNode());
      case "enum" -> "must be one of " + QuotedText.all(limit(error).values());
      case "const" -> "must be " + QuotedText.of(limit(error));
      case "minLength" ->
          limit(error).asInt() == 1
              ? "must not be empty"
              : "must have at least " + limit(error).asString() + " characters";
      case "maxLength" -> "must have at most " + limit(error).asString() + " characters";
      case "minimum" -> "must be at least " + limit(error).asString();
      case "maximum" -> "must be at most " + limit(error).asString();
      case "exclusiveMinimum" -> "must be more than " + limit(error).asString();
      case "exclusiveMaximum" -> "must be less than " + limit(error).asString();
      case "multipleOf" -> "must be a multiple of " + limit(error).asString();
      case "pattern" -> "must match the pattern " + limit(error).asString();
      case "minItems" -> "must have at least " + limit(error).asString() + " items";
      case "maxItems" -> "must have at most " + limit(error).asString() + " items";
      case "uniqueItems" -> "must not have an item twice";
      case "format" -> "must be a valid " + limit(error).asString();
      default -> error.getMessage();
    };
  }

  /** The keyword's own value in the schema. */
  private static JsonNode limit(Error error) {
    return error.getSchemaNode();
  }

  private static String types(Error error) {
    JsonNode wanted = limit(error);
    List<String> names =
        wanted.isArray()
            ? wanted.values().stream().map(JsonNode::asString).toList()
            : List.of(wanted.asString());
    return names.stream().map(Wording::typeInWords).collect(Collectors.joining(" or "));
  }

  private static String typeInWords(String type) {
    return switch (type) {
      case "string" -> "text";
      case "integer" -> "a whole number";
      case "number" -> "a number";
      case "boolean" -> "true or false";
      case "array" -> "a list";
      case "object" -> "an object";
      default -> type;
    };
  }

  /** What a value is, without quoting it: it may be somebody's prompt. */
  private static String kind(@Nullable JsonNode value) {
    if (value == null) {
      return "nothing";
    }
    return switch (value.getNodeType()) {
      case STRING -> "text";
      case NUMBER -> value.isIntegralNumber() ? "a whole number" : "a fraction";
      case BOOLEAN -> "true or false";
      case ARRAY -> "a list";
      case OBJECT -> "an object";
      default -> "null";
    };
  }
}
