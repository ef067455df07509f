package dev.millrace.web.api.request;

import java.math.BigDecimal;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Brings a client's numbers into the form that the validator of schemas takes. */
public final class Numbers {

  private Numbers() {}

  /**
   * Writes out, in place, what is whole but longer than a long. The reader of requests has bounded
   * how long that can be.
   */
  public static void settle(JsonNode tree) {
    if (tree instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        entry.setValue(settled(entry.getValue()));
      }
    } else if (tree instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, settled(array.path(i)));
      }
    }
  }

  private static JsonNode settled(JsonNode value) {
    if (!value.isBigDecimal()) {
      settle(value);
      return value;
    }
    BigDecimal number = value.decimalValue();
    // The validator takes whole numbers in this form only for longs, and breaks down otherwise.
    return number.stripTrailingZeros().scale() <= 0 && !value.canConvertToLong()
        ? JsonNodeFactory.instance.numberNode(number.toBigIntegerExact())
        : value;
  }
}
