package dev.millrace.service.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds every text of an input, however deep. The names of the effect's properties are the
 * catalogue's, but a name further inside may be the user's own, and counts as a text too.
 */
final class InputTexts {

  private InputTexts() {}

  static List<String> of(ObjectNode input, Set<String> ignoredProperties) {
    List<String> texts = new ArrayList<>();
    for (Map.Entry<String, JsonNode> property : input.properties()) {
      if (!ignoredProperties.contains(property.getKey())) {
        collect(property.getValue(), texts);
      }
    }
    return texts;
  }

  /** The recursion is bounded by the nesting depth that the parser of requests allows. */
  private static void collect(JsonNode value, List<String> texts) {
    if (value.isString() && !value.stringValue().isBlank()) {
      texts.add(value.stringValue());
    }
    if (value.isArray()) {
      value.values().forEach(item -> collect(item, texts));
    }
    for (Map.Entry<String, JsonNode> property : value.properties()) {
      if (!property.getKey().isBlank()) {
        texts.add(property.getKey());
      }
      collect(property.getValue(), texts);
    }
  }
}
