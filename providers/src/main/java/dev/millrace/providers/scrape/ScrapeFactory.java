package dev.millrace.providers.scrape;

import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.spi.provider.Performer;
import dev.millrace.spi.provider.ProviderFactory;
import dev.millrace.spi.provider.ProviderSettings;
import java.util.List;

/** Makes the provider that reads web pages, wherever fetches may go. */
public final class ScrapeFactory implements ProviderFactory {

  @Override
  public String name() {
    return "scrape";
  }

  @Override
  public List<Performer> performers(ProviderSettings settings) {
    return List.of(new ScrapeProvider(new FetchClient(FetchPolicy.of(settings.fetchAllow()))));
  }
}
