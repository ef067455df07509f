package dev.millrace.server;

import dev.millrace.server.settings.InstalledProvider;
import dev.millrace.server.settings.Settings;
import dev.millrace.service.access.Secret;
import dev.millrace.spi.provider.ProviderSetting.Kind;
import dev.millrace.spi.provider.ProviderSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What one factory sees of what is set. Prints as nothing that is secret. */
record ProviderView(
    Settings settings,
    ProviderSecrets secretsFile,
    InstalledProvider provider,
    Optional<String> tenant)
    implements ProviderSettings {

  /** The same, as a tenant's own. */
  ProviderView of(String slug) {
    return new ProviderView(settings, secretsFile, provider, Optional.of(slug));
  }

  @Override
  public Optional<String> text(String name) {
    return provider.value(name, Kind.Word.class, String.class);
  }

  @Override
  public Optional<URI> address(String name) {
    return provider.value(name, Kind.Address.class, URI.class);
  }

  @Override
  public Optional<Duration> duration(String name) {
    return provider.value(name, Kind.Seconds.class, Duration.class);
  }

  @Override
  public OptionalLong number(String name) {
    return provider
        .value(name, Kind.WholeNumber.class, Long.class)
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  @Override
  public Optional<Path> file(String name) {
    return provider.value(name, Kind.File.class, Path.class);
  }

  @Override
  public Optional<String> secret(String name) {
    Optional<String> common = provider.secret(name).map(Secret::reveal);
    return tenant.isEmpty()
        ? common
        : Optional.ofNullable(secretsFile.ofTenants(name).get(tenant.get()));
  }

  @Override
  public Map<String, List<String>> secrets() {
    return secretsFile.common();
  }

  @Override
  public Optional<Path> folder() {
    return Optional.ofNullable(settings.services().folder());
  }

  @Override
  public String fetchAllow() {
    return settings.services().fetchAllow();
  }

  @Override
  public String toString() {
    return "ProviderView[" + provider.name() + ", " + tenant + "]";
  }
}
