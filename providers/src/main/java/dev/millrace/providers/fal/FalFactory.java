package dev.millrace.providers.fal;

import dev.millrace.spi.provider.Performer;
import dev.millrace.spi.provider.ProviderFactory;
import dev.millrace.spi.provider.ProviderSetting;
import dev.millrace.spi.provider.ProviderSetting.Kind;
import dev.millrace.spi.provider.ProviderSettings;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Makes the provider of an account at fal, once its key is set. */
public final class FalFactory implements ProviderFactory {

  private static final String URL = "fal-url";
  private static final String JWKS = "fal-jwks-url";
  private static final String KEY = "fal-api-key";

  @Override
  public String name() {
    return "fal";
  }

  @Override
  public List<ProviderSetting> settings() {
    return List.of(
        ProviderSetting.of(
            URL, new Kind.Address(), FalAccount.USUAL_QUEUE.toString(), "Where fal's queue is."),
        ProviderSetting.of(
            JWKS,
            new Kind.Address(),
            FalAccount.USUAL_JWKS.toString(),
            "Where fal publishes the keys that its webhooks are signed with."),
        ProviderSetting.optional(
            KEY,
            new Kind.Secret(),
            "no `fal`",
            "The key of an account at fal, which then runs jobs."));
  }

  @Override
  public Optional<Account> account() {
    return Optional.of(new Account(KEY, KEY));
  }

  @Override
  public List<Performer> performers(ProviderSettings settings) {
    return settings.secret(KEY).map(key -> performer(key, settings)).stream().toList();
  }

  private static Performer performer(String key, ProviderSettings settings) {
    return new FalProvider(
        new FalAccount(
            settings.address(URL).orElseThrow(),
            settings.address(JWKS).orElseThrow(),
            key,
            FalAccount.USUAL_PATIENCE));
  }

  @Override
  public List<URI> outputAddresses(ProviderSettings settings) {
    return settings.address(URL).stream().toList();
  }
}
