package dev.millrace.testkit.outside;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One request that a double got.
 *
 * @param query without its question mark, as it was sent; may be empty
 * @param headers by their name in lower case
 */
public record Asked(
    String method, String path, String query, Map<String, List<String>> headers, String body) {

  public Asked {
    Map<String, List<String>> lower = new TreeMap<>();
    headers.forEach((name, values) -> lower.put(name.toLowerCase(Locale.ROOT), values));
    headers = Map.copyOf(lower);
  }

  public Optional<String> header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream().findFirst();
  }

  public boolean is(String wantedMethod, String pattern) {
    return method.equals(wantedMethod) && path.matches(pattern);
  }
}
