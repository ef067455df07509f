package dev.millrace.server.catalogue;

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
 */
public record Recipe(
    @Nullable Template template, @Nullable String outputNode, Map<String, AssetFile> assets) {

  public static final Recipe NONE = new Recipe(null, null, Map.of());

  public Recipe {
    assets = Collections.unmodifiableMap(new LinkedHashMap<>(assets));
  }
}
