package dev.millrace.providers.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads headers whose names may have any case. */
public final class Headers {

  private Headers() {}

  /** The header's value; empty if it is missing, blank, or given more than once. */
  public static Optional<String> only(Map<String, List<String>> headers, String name) {
    List<String> values = new ArrayList<>();
    headers.forEach((key, given) -> {
      if (key.equalsIgnoreCase(name)) {
        values.addAll(given);
      }
    });
    return values.size() == 1
        ? Optional.of(values.getFirst().strip()).filter(v -> !v.isEmpty())
        : Optional.empty();
  }
}
