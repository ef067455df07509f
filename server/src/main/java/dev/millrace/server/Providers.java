package dev.millrace.server;

import dev.millrace.contract.provider.AsyncProvider;
import dev.millrace.contract.provider.Performer;
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
import dev.millrace.providers.sketch.SketchProvider;
import dev.millrace.server.settings.Secret;
import dev.millrace.server.settings.Settings;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Who performs jobs for this server, by what it is set up for. */
final class Providers {

  private final Map<String, Performer> all = new TreeMap<>();
  private final Settings settings;
  private FetchPolicy policy;

  private Providers(Settings settings) {
    this.settings = settings;
    this.policy = FetchPolicy.PUBLIC_WEB.allowing(AllowList.parse(settings.outside().fetchAllow()));
  }

  static Providers of(Settings settings) {
    Providers providers = new Providers(settings);
    providers.add(new SketchProvider());
    providers.add(new ScrapeProvider(new FetchClient(providers.policy)));
    providers.addOpenAi();
    providers.addReplicate();
    providers.addFal();
    Described.services(settings.services()).forEach(providers::add);
    return providers;
  }

  Map<String, Performer> all() {
    return Map.copyOf(all);
  }

  /** Those that finish their work later, and elsewhere. */
  Map<String, AsyncProvider> services() {
    Map<String, AsyncProvider> services = new HashMap<>();
    all.forEach((name, each) -> {
      if (each instanceof AsyncProvider service) {
        services.put(name, service);
      }
    });
    return Map.copyOf(services);
  }

  /** What is wrong with a workflow's settings for one of them. */
  List<String> mistakes(String executor, Map<String, Object> wanted) {
    if (all.get(executor) instanceof AsyncProvider service) {
      return service.mistakes(wanted);
    }
    return wanted.isEmpty() ? List.of() : List.of("must be empty: " + executor + " takes none");
  }

  /** Brings outputs from wherever these services put them. */
  FetchClient outputs() {
    return new FetchClient(policy);
  }

  private void add(Performer performer) {
    if (all.put(performer.name(), performer) != null) {
      throw new StartupException("There are two providers called " + performer.name() + ".");
    }
  }

  private void addOpenAi() {
    Settings.Outside outside = settings.outside();
    URI url = outside.openAiUrl();
    if (url == null) {
      return;
    }
    add(
        new OpenAiProvider(
            new OpenAiSettings(
                url,
                outside.openAiKey() == null ? null : outside.openAiKey().reveal(),
                new OpenAiSettings.Models(
                    outside.chatModel(),
                    outside.imageModel(),
                    outside.speechModel(),
                    settings.guard().moderationModel()),
                outside.openAiTimeout()),
            // The service may well serve its own pictures.
            new FetchClient(policy.allowing(url))));
  }

  private void addReplicate() {
    Settings.Services services = settings.services();
    if (services.replicateToken() == null) {
      return;
    }
    Secret secrets = services.replicateWebhookSecrets();
    try {
      add(
          new ReplicateProvider(
              new ReplicateAccount(
                  services.replicateUrl(),
                  services.replicateToken().reveal(),
                  secrets == null ? List.of() : List.of(secrets.reveal().split(",", -1)),
                  ReplicateAccount.USUAL_PATIENCE)));
    } catch (IllegalArgumentException e) {
      throw new StartupException("MILLRACE_REPLICATE_...: " + e.getMessage(), e);
    }
    policy = policy.allowing(services.replicateUrl());
  }

  private void addFal() {
    Settings.Services services = settings.services();
    if (services.falKey() == null) {
      return;
    }
    try {
      add(
          new FalProvider(
              new FalAccount(
                  services.falUrl(),
                  services.falJwks(),
                  services.falKey().reveal(),
                  FalAccount.USUAL_PATIENCE)));
    } catch (IllegalArgumentException e) {
      throw new StartupException("MILLRACE_FAL_...: " + e.getMessage(), e);
    }
    policy = policy.allowing(services.falUrl());
  }
}
