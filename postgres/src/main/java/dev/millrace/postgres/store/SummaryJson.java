package dev.millrace.postgres.store;

import dev.millrace.engine.job.Summary;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A summary as a JSON object; an empty one is null, which costs no room. */
final class SummaryJson {

  private static final JsonMapper JSON = JsonMapper.shared();

  private SummaryJson() {}

  static @Nullable String write(Summary summary) {
    if (summary.values().isEmpty()) {
      return null;
    }
    ObjectNode object = JSON.createObjectNode();
    summary.values().forEach((key, value) -> object.set(key, JSON.readTree(value)));
    return object.toString();
  }

  /** As an event has it: JSON's own null says that the summary is not repeated there. */
  static @Nullable String snapshot(@Nullable Summary summary) {
    return summary == null ? "null" : write(summary);
  }

  static Summary read(@Nullable String json) {
    if (json == null) {
      return Summary.EMPTY;
    }
    SortedMap<String, String> values = new TreeMap<>();
    JSON.readTree(json).forEachEntry((key, value) -> values.put(key, value.toString()));
    return new Summary(values);
  }
}
