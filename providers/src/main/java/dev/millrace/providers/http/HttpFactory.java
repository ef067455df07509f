package dev.millrace.providers.http;

import dev.millrace.spi.provider.Performer;
import dev.millrace.spi.provider.ProviderFactory;
import dev.millrace.spi.provider.ProviderSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes a provider for each YAML file in the folder of providers, so that most need no code. */
public final class HttpFactory implements ProviderFactory {

  @Override
  public String name() {
    return "http";
  }

  @Override
  public List<Performer> performers(ProviderSettings settings) {
    Optional<Path> folder = settings.folder();
    if (folder.isEmpty()) {
      return List.of();
    }
    Map<String, List<String>> secrets = settings.secrets();
    try (Stream<Path> files = Files.list(folder.get())) {
      return files
          .filter(file -> file.toString().endsWith(".yaml") || file.toString().endsWith(".yml"))
          .sorted()
          .map(file -> service(file, secrets))
          .toList();
    } catch (IOException e) {
      throw new IllegalArgumentException("The folder " + folder.get() + " can't be read.", e);
    }
  }

  private static Performer service(Path file, Map<String, List<String>> secrets) {
    try {
      return HttpProvider.of(Files.readString(file), secrets);
    } catch (BadDescription e) {
      throw new IllegalArgumentException(
          "The provider of " + file + " is wrong:\n" + e.getMessage(), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("The file " + file + " can't be read.", e);
    }
  }
}
