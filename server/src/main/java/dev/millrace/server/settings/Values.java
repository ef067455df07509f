package dev.millrace.server.settings;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values that were read and found good, by setting. */
final class Values {

  /**
   * A good value and where it came from.
   *
   * @param shown the value as a report may print it
   * @param label the setting's name as the operator wrote it
   */
  record Resolved(Object value, String shown, SettingsReport.Source source, String label) {}

  private final Map<Setting<?>, Resolved> resolved = new LinkedHashMap<>();

  void put(Setting<?> setting, Resolved value) {
    resolved.put(setting, value);
  }

  Optional<Resolved> find(Setting<?> setting) {
    return Optional.ofNullable(resolved.get(setting));
  }

  /** The setting's name as the operator wrote it. */
  String label(Setting<?> setting) {
    return find(setting).map(Resolved::label).orElse(setting.environmentName());
  }

  /** The value of a setting that may be left unset. */
  <T> @Nullable T optional(Setting<T> setting) {
    Resolved found = resolved.get(setting);
    return found == null ? null : setting.kind().type().cast(found.value());
  }

  /** The value of a setting that has a default, and so always has a value once all are good. */
  <T> T get(Setting<T> setting) {
    T value = optional(setting);
    if (value == null) {
      throw new IllegalStateException(setting.key() + " has neither a value nor a default");
    }
    return value;
  }

  int integer(Setting<Long> setting) {
    return Math.toIntExact(get(setting));
  }
}
