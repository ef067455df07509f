package dev.millrace.service.catalogue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an executor needs besides the input.
 *
 * @param template the graph to fill in; null if the executor has its own
 * @param outputNode the node of the graph whose result is the job's; null if there is no graph
 * @param assets files that come along, by name
 * @param settings what the executor wants to know of the workflow, such as a model; plain values
 */
public record Recipe(
    @Nullable Template template,
    @Nullable String outputNode,
    Map<String, AssetFile> assets,
    Map<String, Object> settings) {

  public static final Recipe NONE = new Recipe(null, null, Map.of(), Map.of());

  public Recipe {
    assets = Collections.unmodifiableMap(new LinkedHashMap<>(assets));
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }
}
