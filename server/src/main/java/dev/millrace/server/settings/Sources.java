package dev.millrace.server.settings;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.ExpressionConfigSourceInterceptor;
import io.smallrye.config.Expressions;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts the environment before the file before the defaults. Nothing is discovered: SmallRye's own
 * sources (system properties, the real environment, the class path) and its profiles stay out.
 */
final class Sources {

  static final String CONFIG_FILE = "MILLRACE_CONFIG_FILE";

  private static final int ENVIRONMENT_ORDINAL = 300;
  private static final int FILE_ORDINAL = 200;

  /** A key of this name would change a source's place in the order. */
  private static final String ORDINAL_KEY = "config_ordinal";

  private final SmallRyeConfig config;

  private Sources(SmallRyeConfig config) {
    this.config = config;
  }

  static Sources of(Map<String, String> environment, SettingsFile file, List<Setting<?>> settings) {
    Sources all = new Sources(build(environment, file.name(), file.entries(), settings));
    // A key that is empty, or that is so once its expression is resolved, counts as not set. It has
    // to leave the file for the default to be seen behind it.
    Map<String, String> entries = new HashMap<>(file.entries());
    for (Setting<?> setting : settings) {
      RawValue found = all.find(setting);
      if (found != null && found.value() != null && found.value().isBlank()) {
        entries.remove(setting.key());
      }
    }
    return entries.size() == file.entries().size()
        ? all
        : new Sources(build(environment, file.name(), entries, settings));
  }

  private static SmallRyeConfig build(
      Map<String, String> environment,
      String fileName,
      Map<String, String> fileEntries,
      List<Setting<?>> settings) {
    return new SmallRyeConfigBuilder()
        .withSources(
            new EnvConfigSource(literals(environment, settings), ENVIRONMENT_ORDINAL),
            new PropertiesConfigSource(fileEntries, fileName, FILE_ORDINAL))
        .withDefaultValues(defaults(environment, settings))
        .withInterceptors(new ExpressionConfigSourceInterceptor())
        .build();
  }

  /**
   * What a source says.
   *
   * @param value null if an expression in it could not be resolved
   * @param written what may be quoted: the expression, not what it stands for
   */
  record RawValue(@Nullable String value, String written, SettingsReport.Source source) {}

  /** What the first source that has the setting says, or null if none does. */
  @Nullable RawValue find(Setting<?> setting) {
    ConfigValue written = Expressions.withoutExpansion(() -> config.getConfigValue(setting.key()));
    String raw = written.getValue();
    if (raw == null) {
      return null;
    }
    String value = expanded(setting);
    return switch (written.getConfigSourceOrdinal()) {
      case ENVIRONMENT_ORDINAL ->
          new RawValue(value, value == null ? "" : value, SettingsReport.Source.ENVIRONMENT);
      case FILE_ORDINAL -> new RawValue(value, raw, SettingsReport.Source.FILE);
      default -> new RawValue(value, raw, SettingsReport.Source.DEFAULT);
    };
  }

  private @Nullable String expanded(Setting<?> setting) {
    try {
      return config.getConfigValue(setting.key()).getValue();
    } catch (IllegalArgumentException _) {
      // The expression leads back to itself.
      return null;
    }
  }

  /**
   * Escapes a text so that the expansion of expressions gives back exactly this text. A password
   * with a dollar must survive, also when the file refers to it by the name of its variable.
   */
  static String literal(String text) {
    return text.replace("$", "$$").replace("\\", "${:\\}");
  }

  /** An empty variable is one that is not set, as that is what container files make of those. */
  private static Map<String, String> literals(
      Map<String, String> environment, List<Setting<?>> settings) {
    UnknownNames names = new UnknownNames(settings);
    Map<String, String> literals = new HashMap<>();
    environment.forEach((name, value) -> {
      boolean ignored = UnknownNames.isOurs(name) && (value.isBlank() || !names.isKnown(name));
      if (!ignored && !name.equalsIgnoreCase(ORDINAL_KEY)) {
        literals.put(name, literal(value));
      }
    });
    return literals;
  }

  private static Map<String, String> defaults(
      Map<String, String> environment, List<Setting<?>> settings) {
    Map<String, String> defaults = new HashMap<>();
    for (Setting<?> setting : settings) {
      String value = setting.fallback().value().apply(environment);
      if (value != null) {
        defaults.put(setting.key(), value);
      }
    }
    return defaults;
  }
}
