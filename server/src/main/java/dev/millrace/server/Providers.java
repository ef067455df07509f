package dev.millrace.server;

import dev.millrace.providers.fal.FalAccount;
import dev.millrace.providers.fal.FalProvider;
import dev.millrace.providers.fetch.AllowList;
import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.providers.openai.OpenAiProvider;
import dev.millrace.providers.openai.OpenAiSettings;
import dev.millrace.providers.replicate.ReplicateAccount;
import dev.millrace.providers.replicate.ReplicateProvider;
import dev.millrace.providers.scrape.ScrapeProvider;
import dev.millrace.server.settings.Settings;
import dev.millrace.service.access.Secret;
import dev.millrace.service.execution.ProviderStatus;
import dev.millrace.sketch.SketchProvider;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Performer;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Who performs jobs for this server, by what it is set up for. */
final class Providers {

  private final Settings settings;
  private final ProviderSecrets secrets;
  private final Map<String, Performer> common = new HashMap<>();
  private final Map<String, Map<String, Performer>> own = new HashMap<>();
  private FetchPolicy policy;

  private Providers(Settings settings) {
    this.settings = settings;
    this.secrets = ProviderSecrets.read(settings.services().secrets());
    this.policy = FetchPolicy.PUBLIC_WEB.allowing(AllowList.parse(settings.outside().fetchAllow()));
  }

  static Providers of(Settings settings) {
    Providers providers = new Providers(settings);
    providers.add(new SketchProvider());
    providers.add(new ScrapeProvider(new FetchClient(providers.policy)));
    providers.addOpenAi();
    providers.addReplicate();
    providers.addFal();
    YamlProviders.services(settings.services(), providers.secrets).forEach(providers::add);
    return providers;
  }

  /** Those for everybody, by their names. */
  Map<String, Performer> common() {
    return Map.copyOf(common);
  }

  /** Those of single tenants, by the tenant's slug and their names. */
  Map<String, Map<String, Performer>> own() {
    return Map.copyOf(own);
  }

  Set<String> names() {
    Set<String> names = new TreeSet<>(common.keySet());
    own.values().forEach(performers -> names.addAll(performers.keySet()));
    return names;
  }

  /** What those are paid with that need a key, masked; also of those that are not set up. */
  Map<String, ProviderStatus.Key> keys() {
    Settings.Services services = settings.services();
    return Map.of(
        "openai",
        key("MILLRACE_OPENAI_URL", settings.outside().openAiKey(), "openai_api_key"),
        "replicate",
        key("MILLRACE_REPLICATE_API_TOKEN", services.replicateToken(), "replicate_api_token"),
        "fal",
        key("MILLRACE_FAL_API_KEY", services.falKey(), "fal_api_key"));
  }

  private ProviderStatus.Key key(String setting, @Nullable Secret common, String secret) {
    Map<String, String> masked = new HashMap<>();
    secrets.ofTenants(secret).forEach((tenant, key) -> masked.put(tenant, KeyMask.of(key)));
    return new ProviderStatus.Key(
        setting, common == null ? null : KeyMask.of(common.reveal()), masked);
  }

  /** What is wrong with a workflow's settings for one of them. */
  List<String> mistakes(String executor, Map<String, Object> wanted) {
    @Nullable Performer any = common.get(executor);
    for (Map<String, Performer> performers : own.values()) {
      any = any == null ? performers.get(executor) : any;
    }
    if (any instanceof AsyncProvider service) {
      return service.mistakes(wanted);
    }
    return any == null || wanted.isEmpty()
        ? List.of()
        : List.of("must be empty: " + executor + " takes none");
  }

  /** Brings outputs from wherever these services put them. */
  FetchClient outputs() {
    return new FetchClient(policy);
  }

  private void add(Performer performer) {
    if (common.put(performer.name(), performer) != null) {
      throw new StartupException("There are two providers called " + performer.name() + ".");
    }
  }

  /**
   * Adds everybody's account and those of tenants.
   *
   * @param secret the name of the key in the file of secrets, before the tenant's
   */
  private void addAccounts(
      @Nullable Secret key, String secret, Function<String, Performer> account) {
    try {
      if (key != null) {
        add(account.apply(key.reveal()));
      }
      secrets
          .ofTenants(secret)
          .forEach((tenant, theirs) -> {
            Performer performer = account.apply(theirs);
            own.computeIfAbsent(tenant, _ -> new HashMap<>()).put(performer.name(), performer);
          });
    } catch (IllegalArgumentException e) {
      throw new StartupException("The account of " + secret + " is wrong: " + e.getMessage(), e);
    }
  }

  private void addOpenAi() {
    Settings.Outside outside = settings.outside();
    URI url = outside.openAiUrl();
    if (url == null) {
      return;
    }
    if (outside.openAiKey() == null) {
      add(openAi(url, null));
    }
    addAccounts(outside.openAiKey(), "openai_api_key", key -> openAi(url, key));
  }

  private Performer openAi(URI url, @Nullable String key) {
    Settings.Outside outside = settings.outside();
    return new OpenAiProvider(
        new OpenAiSettings(
            url,
            key,
            new OpenAiSettings.Models(
                outside.chatModel(),
                outside.imageModel(),
                outside.speechModel(),
                settings.guard().moderationModel()),
            outside.openAiTimeout()),
        // The service may well serve its own pictures.
        new FetchClient(policy.allowing(url)));
  }

  private void addReplicate() {
    Settings.Services services = settings.services();
    Secret webhooks = services.replicateWebhookSecrets();
    List<String> signing = webhooks == null ? List.of() : List.of(webhooks.reveal().split(","));
    addAccounts(
        services.replicateToken(),
        "replicate_api_token",
        token ->
            new ReplicateProvider(
                new ReplicateAccount(
                    services.replicateUrl(),
                    token,
                    // A tenant's account has its own, and is asked for it.
                    isCommon(services.replicateToken(), token) ? signing : List.of(),
                    ReplicateAccount.USUAL_PATIENCE)));
    if (names().contains("replicate")) {
      policy = policy.allowing(services.replicateUrl());
    }
  }

  private static boolean isCommon(@Nullable Secret common, String key) {
    return common != null && common.reveal().equals(key);
  }

  private void addFal() {
    Settings.Services services = settings.services();
    addAccounts(
        services.falKey(),
        "fal_api_key",
        key ->
            new FalProvider(
                new FalAccount(
                    services.falUrl(), services.falJwks(), key, FalAccount.USUAL_PATIENCE)));
    if (names().contains("fal")) {
      policy = policy.allowing(services.falUrl());
    }
  }
}
