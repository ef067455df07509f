package dev.millrace.server.settings;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table.
 *
 * @param key its name in the properties file, from which its environment name follows
 */
record Setting<T>(String key, Kind<T> kind, Default fallback, String description) {

  static final String PREFIX = "millrace.";

  /** The mapping of MicroProfile Config: upper case, and everything else becomes an underscore. */
  String environmentName() {
    return environmentName(key);
  }

  static String environmentName(String key) {
    return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }

  /**
   * What holds when nothing is set.
   *
   * @param documented how the documentation says it
   * @param value an expression over the environment and other settings, or null for "not set"
   */
  record Default(String documented, Function<Map<String, String>, @Nullable String> value) {

    static Default of(String text) {
      return new Default("`" + text + "`", _ -> text);
    }

    static Default notSet(String documented) {
      return new Default(documented, _ -> null);
    }
  }
}
