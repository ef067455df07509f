package dev.millrace.service.catalogue;

import dev.millrace.service.catalogue.InputViolation.Kind;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Finds texts that JSON may carry but PostgreSQL can't keep: a NUL, or half of a surrogate pair.
 * Told here they are the user's mistake; met later they would look like a broken server.
 */
final class UnstorableText {

  private UnstorableText() {}

  static List<InputViolation> in(JsonNode value) {
    List<InputViolation> found = new ArrayList<>();
    search(value, List.of(), found);
    return found;
  }

  private static void search(JsonNode value, List<Object> steps, List<InputViolation> found) {
    if (value.isString() && isUnstorable(value.asString())) {
      found.add(
          new InputViolation(steps, Kind.OTHER, "must be text without NUL or broken characters"));
    }
    for (int i = 0; value.isArray() && i < value.size(); i++) {
      search(value.get(i), then(steps, i), found);
    }
    for (var entry : value.properties()) {
      if (isUnstorable(entry.getKey())) {
        found.add(
            new InputViolation(
                steps, Kind.OTHER, "must have names without NUL or broken characters"));
      } else {
        search(entry.getValue(), then(steps, entry.getKey()), found);
      }
    }
  }

  private static List<Object> then(List<Object> steps, Object step) {
    List<Object> longer = new ArrayList<>(steps);
    longer.add(step);
    return longer;
  }

  private static boolean isUnstorable(String text) {
    return text.codePoints()
        .anyMatch(point ->
            point == 0 || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE));
  }
}
