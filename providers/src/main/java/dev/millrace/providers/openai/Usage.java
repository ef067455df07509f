package dev.millrace.providers.openai;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What the service says a call has used, in its own units. */
final class Usage {

  private static final List<String> NAMES =
      List.of(
          "prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "total_tokens");

  private Usage() {}

  /** The counts that are there and believable. */
  static Map<String, Object> of(JsonNode usage) {
    Map<String, Object> counts = new LinkedHashMap<>();
    for (String name : NAMES) {
      JsonNode count = usage.path(name);
      if (count.isIntegralNumber() && count.canConvertToLong() && count.longValue() >= 0) {
        counts.put(name, count.longValue());
      }
    }
    return counts;
  }
}
