package dev.millrace.server;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What providers must know and nobody else: {@code name = value}, or {@code name@tenant = value}
 * for one tenant alone. Prints as nothing.
 */
final class ProviderSecrets {

  private final Map<String, String> values = new HashMap<>();

  private ProviderSecrets() {}

  static ProviderSecrets read(@Nullable Path file) {
    ProviderSecrets secrets = new ProviderSecrets();
    if (file == null) {
      return secrets;
    }
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new StartupException("The secrets in " + file + " can't be read.", e);
    }
    properties
        .stringPropertyNames()
        .forEach(name -> secrets.values.put(name, properties.getProperty(name).strip()));
    return secrets;
  }

  /** Those for everybody. Several values of one have commas between them; any may sign. */
  Map<String, List<String>> common() {
    Map<String, List<String>> common = new HashMap<>();
    values.forEach((name, value) -> {
      if (name.indexOf('@') < 0) {
        common.put(name, Stream.of(value.split(",")).map(String::strip).toList());
      }
    });
    return common;
  }

  /**
   * What single tenants have for this setting, by their slugs.
   *
   * @param setting such as {@code fal-api-key}, which the file calls {@code fal_api_key}
   */
  Map<String, String> ofTenants(String setting) {
    String name = setting.replace('-', '_');
    Map<String, String> tenants = new HashMap<>();
    values.forEach((key, value) -> {
      if (key.startsWith(name + "@")) {
        tenants.put(key.substring(name.length() + 1), value);
      }
    });
    return tenants;
  }
}
