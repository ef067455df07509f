package org.example.stamp;

import dev.millrace.spi.provider.Performer;
import dev.millrace.spi.provider.ProviderFactory;
import dev.millrace.spi.provider.ProviderSetting;
import dev.millrace.spi.provider.ProviderSetting.Kind;
import dev.millrace.spi.provider.ProviderSettings;
import java.util.List;
import java.util.Optional;

/** Makes the provider once MILLRACE_STAMP_KEY is set. */
public final class StampFactory implements ProviderFactory {

  @Override
  public String name() {
    return "stamp";
  }

  @Override
  public List<ProviderSetting> settings() {
    return List.of(
        ProviderSetting.optional(
            "stamp-key", new Kind.Secret(), "no `stamp`", "The key that texts are stamped with."),
        ProviderSetting.of(
            "stamp-label", new Kind.Word(), "stamp", "The word that a stamp begins with."));
  }

  @Override
  public Optional<Account> account() {
    return Optional.of(new Account("stamp-key", "stamp-key"));
  }

  @Override
  public List<Performer> performers(ProviderSettings settings) {
    String label = settings.text("stamp-label").orElseThrow();
    return settings.secret("stamp-key").<Performer>map(key -> new StampProvider(label, key))
        .stream()
        .toList();
  }
}
