package dev.millrace.server;

import dev.millrace.contract.provider.Provider;
import dev.millrace.providers.fetch.AllowList;
import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.providers.openai.OpenAiProvider;
import dev.millrace.providers.openai.OpenAiSettings;
import dev.millrace.providers.scrape.ScrapeProvider;
import dev.millrace.providers.sketch.SketchProvider;
import dev.millrace.server.settings.Settings;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who runs jobs inside this server, by what it is set up for. */
final class Providers {

  private Providers() {}

  static Map<String, Provider> of(Settings settings) {
    Settings.Outside outside = settings.outside();
    FetchPolicy policy = FetchPolicy.PUBLIC_WEB.allowing(AllowList.parse(outside.fetchAllow()));
    Map<String, Provider> providers = new HashMap<>();
    for (Provider each :
        List.of(new SketchProvider(), new ScrapeProvider(new FetchClient(policy)))) {
      providers.put(each.name(), each);
    }
    URI url = outside.openAiUrl();
    if (url != null) {
      Provider openAi =
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
              new FetchClient(policy.allowing(url)));
      providers.put(openAi.name(), openAi);
    }
    return Map.copyOf(providers);
  }
}
