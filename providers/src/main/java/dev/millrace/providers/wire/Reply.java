package dev.millrace.providers.wire;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a service answered.
 *
 * @param headers by their name in lower case
 * @param body as text; it may be anything
 */
public record Reply(int status, Map<String, List<String>> headers, String body) {

  private static final int HUNDRED = 100;

  public Reply {
    Map<String, List<String>> lower = new TreeMap<>();
    headers.forEach((name, values) -> lower.put(name.toLowerCase(Locale.ROOT), values));
    headers = Map.copyOf(lower);
  }

  public Optional<String> header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream().findFirst();
  }

  /** Whether the status is one of 200 to 299. */
  public boolean good() {
    return status / HUNDRED == 2;
  }

  /** Without the body, which belongs to a customer. */
  @Override
  public String toString() {
    return "Reply[" + status + "]";
  }
}
