package dev.millrace.providers.replicate;

import dev.millrace.spi.provider.Performer;
import dev.millrace.spi.provider.ProviderFactory;
import dev.millrace.spi.provider.ProviderSetting;
import dev.millrace.spi.provider.ProviderSetting.Kind;
import dev.millrace.spi.provider.ProviderSettings;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Makes the provider of an account at Replicate, once its token is set. */
public final class ReplicateFactory implements ProviderFactory {

  private static final String URL = "replicate-url";
  private static final String TOKEN = "replicate-api-token";
  private static final String WEBHOOKS = "replicate-webhook-secrets";

  @Override
  public String name() {
    return "replicate";
  }

  @Override
  public List<ProviderSetting> settings() {
    return List.of(
        ProviderSetting.of(
            URL,
            new Kind.Address(),
            ReplicateAccount.USUAL_API.toString(),
            "Where Replicate's API is, or one that speaks the same."),
        ProviderSetting.optional(
            TOKEN,
            new Kind.Secret(),
            "no `replicate`",
            "The token of an account at Replicate, which then runs jobs."),
        ProviderSetting.optional(
            WEBHOOKS,
            new Kind.Secret(),
            "Replicate is asked for it",
            "What its webhooks are signed with; two with a comma between them while one is being"
                + " replaced."));
  }

  @Override
  public Optional<Account> account() {
    return Optional.of(new Account(TOKEN, TOKEN));
  }

  @Override
  public List<Performer> performers(ProviderSettings settings) {
    return settings.secret(TOKEN).map(token -> performer(token, settings)).stream().toList();
  }

  private static Performer performer(String token, ProviderSettings settings) {
    // A tenant's account has its own, and is asked for it.
    List<String> signing =
        settings.secret(WEBHOOKS).map(secrets -> List.of(secrets.split(","))).orElse(List.of());
    return new ReplicateProvider(
        new ReplicateAccount(
            settings.address(URL).orElseThrow(), token, signing, ReplicateAccount.USUAL_PATIENCE));
  }

  @Override
  public List<URI> outputAddresses(ProviderSettings settings) {
    return settings.address(URL).stream().toList();
  }
}
