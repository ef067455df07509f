package dev.millrace.providers.replicate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which events Replicate is asked to call for. */
final class PredictionEvents {

  static final String KEY = "webhook_events";

  private static final Set<String> KNOWN = Set.of("start", "output", "logs", "completed");
  private static final List<String> USUAL = List.of("start", "completed");

  private PredictionEvents() {}

  static List<?> of(Map<String, Object> settings) {
    return settings.get(KEY) instanceof List<?> events ? events : USUAL;
  }

  /** Without the end's event, a webhook would be of little use. */
  static Optional<String> mistake(Map<String, Object> settings) {
    if (!settings.containsKey(KEY)) {
      return Optional.empty();
    }
    boolean good =
        settings.get(KEY) instanceof List<?> events
            && events.contains("completed")
            && events.stream()
                .allMatch(event -> event instanceof String name && KNOWN.contains(name));
    return good
        ? Optional.empty()
        : Optional.of(KEY + " must be a list of start, output, logs and completed, with completed");
  }
}
