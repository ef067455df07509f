package dev.millrace.server;

import dev.millrace.providers.http.BadDescription;
import dev.millrace.providers.http.HttpProvider;
import dev.millrace.server.settings.Settings;
import dev.millrace.spi.provider.AsyncProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Services that YAML files describe, so that most need no code. */
final class YamlProviders {

  private YamlProviders() {}

  static List<AsyncProvider> services(Settings.Services settings, ProviderSecrets known) {
    Path folder = settings.descriptions();
    if (folder == null) {
      return List.of();
    }
    Map<String, List<String>> secrets = known.common();
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml") || file.toString().endsWith(".yml"))
          .sorted()
          .map(file -> service(file, secrets))
          .toList();
    } catch (IOException e) {
      throw new StartupException("The folder " + folder + " can't be read.", e);
    }
  }

  private static AsyncProvider service(Path file, Map<String, List<String>> secrets) {
    try {
      return HttpProvider.of(Files.readString(file), secrets);
    } catch (BadDescription e) {
      throw new StartupException("The provider of " + file + " is wrong:\n" + e.getMessage(), e);
    } catch (IOException e) {
      throw new StartupException("The file " + file + " can't be read.", e);
    }
  }
}
