package dev.millrace.worker.comfy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** Makes a template ready to be posted. */
public final class Graph {

  private static final String PREFIX = "filename_prefix";

  private Graph() {}

  /**
   * Puts the names of uploaded files where their placeholders are, and gives every file that will
   * be saved a name of this attempt's own. Without that a cached node would name an old file, which
   * may be gone.
   *
   * @param names the name of each file, by placeholder
   */
  public static Map<String, Object> prepare(
      Map<String, Object> template, Map<String, String> names, UUID attempt) {
    Map<String, Object> graph = new LinkedHashMap<>();
    template.forEach((id, node) -> graph.put(id, saving(replaced(node, names), attempt)));
    return graph;
  }

  private static Object replaced(Object value, Map<String, String> names) {
    return switch (value) {
      case String text -> {
        String result = text;
        for (Map.Entry<String, String> name : names.entrySet()) {
          result = result.replace(name.getKey(), name.getValue());
        }
        yield result;
      }
      case Map<?, ?> map -> {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, inner) -> copy.put(String.valueOf(key), orNull(inner, names)));
        yield copy;
      }
      // Jackson's lists may hold nulls, so they aren't copied by List.of.
      case List<?> list ->
          list.stream().map(inner -> orNull(inner, names)).collect(Collectors.toList());
      default -> value;
    };
  }

  @SuppressWarnings("NullAway") // A null in JSON stays one.
  private static Object orNull(Object inner, Map<String, String> names) {
    return inner == null ? null : replaced(inner, names);
  }

  private static Object saving(Object node, UUID attempt) {
    if (node instanceof Map<?, ?> map
        && map.get("inputs") instanceof Map<?, ?> inputs
        && inputs.get(PREFIX) instanceof String prefix) {
      Map<String, Object> changed = new LinkedHashMap<>();
      inputs.forEach((key, value) -> changed.put(String.valueOf(key), value));
      String name = prefix.substring(prefix.lastIndexOf('/') + 1);
      changed.put(PREFIX, "millrace/" + attempt + "/" + (name.isEmpty() ? "out" : name));
      Map<String, Object> copy = new LinkedHashMap<>();
      map.forEach((key, value) -> copy.put(String.valueOf(key), value));
      copy.put("inputs", changed);
      return copy;
    }
    return node;
  }
}
