package dev.millrace.server.api;

import dev.millrace.server.http.Problem.Violation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps a client's numbers within what everything behind can hold. JSON has no bounds: {@code
 * 1e999999999} is ten characters, too large for any database, and a gigabyte once it is written
 * out.
 */
final class Numbers {

  private static final int MOST_DIGITS = 308;

  private final List<Violation> violations = new ArrayList<>();

  private Numbers() {}

  /** What is out of bounds. What is whole but longer than a long is written out, in place. */
  static List<Violation> settle(JsonNode tree, String path) {
    Numbers numbers = new Numbers();
    numbers.walk(tree, path);
    return numbers.violations;
  }

  private void walk(JsonNode node, String path) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        String at = path + "/" + Params.pointer(entry.getKey());
        entry.setValue(settled(entry.getValue(), at));
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, settled(array.path(i), path + "/" + i));
      }
    }
  }

  private JsonNode settled(JsonNode value, String path) {
    if (!value.isBigDecimal()) {
      walk(value, path);
      return value;
    }
    BigDecimal number = value.decimalValue();
    long exponent = (long) number.precision() - number.scale() - 1;
    if (Math.abs(exponent) > MOST_DIGITS || Math.abs((long) number.scale()) > MOST_DIGITS) {
      violations.add(new Violation(path, "is a number beyond all bounds"));
      return value;
    }
    // The validator takes whole numbers in this form only for longs, and breaks down otherwise.
    return number.stripTrailingZeros().scale() <= 0 && !value.canConvertToLong()
        ? JsonNodeFactory.instance.numberNode(number.toBigIntegerExact())
        : value;
  }
}
