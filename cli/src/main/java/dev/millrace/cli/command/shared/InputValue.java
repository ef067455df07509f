package dev.millrace.cli.command.shared;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** One typed value, in one of the JSON types that its schema allows. */
final class InputValue {

  private InputValue() {}

  /**
   * Takes the strictest type that fits; text fits always, and is what an unknown schema gets.
   *
   * @param types JSON Schema's names of types; empty for any
   */
  static JsonNode convert(String name, String value, Set<String> types) {
    JsonNode json = types.isEmpty() ? null : parse(value);
    if (json != null && isAllowed(json, types)) {
      return json;
    }
    if (types.isEmpty() || types.contains("string")) {
      return StringNode.valueOf(value);
    }
    throw new CommandFailure(
        ExitCode.USAGE, String.format("-i %s= needs %s, not '%s'.", name, describe(types), value));
  }

  static String typeOf(JsonNode json) {
    return switch (json.getNodeType()) {
      case ARRAY -> "array";
      case BOOLEAN -> "boolean";
      case NULL -> "null";
      case NUMBER -> json.isIntegralNumber() ? "integer" : "number";
      case OBJECT -> "object";
      default -> "string";
    };
  }

  private static boolean isAllowed(JsonNode json, Set<String> types) {
    // A quoted string stays as it was typed, quotes included.
    return !json.isString()
        && (types.contains(typeOf(json)) || (json.isNumber() && types.contains("number")));
  }

  private static @Nullable JsonNode parse(String value) {
    try {
      JsonNode json = ApiJson.parse(value.strip());
      return json.isMissingNode() ? null : json;
    } catch (JacksonException _) {
      return null;
    }
  }

  private static String describe(Set<String> types) {
    return String.join(" or ", types.stream().map(InputValue::describe).toList());
  }

  private static String describe(String type) {
    return switch (type) {
      case "integer" -> "a whole number";
      case "number" -> "a number";
      case "boolean" -> "true or false";
      case "array" -> "a JSON array";
      case "object" -> "a JSON object";
      default -> type;
    };
  }
}
