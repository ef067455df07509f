package dev.millrace.providers.scrape;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchLimits;
import dev.millrace.providers.fetch.FetchRequest;
import dev.millrace.providers.fetch.FetchResult;
import dev.millrace.providers.fetch.FetchResult.Fetched;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Output;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Work;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads one web page and gives a JSON document of its title, text, pictures and metadata.
 *
 * <p>Input: {@code url}; {@code max_characters} (of the text, 1 to 500,000) and {@code max_images}
 * (0 to 200).
 */
public final class ScrapeProvider implements Provider {

  private static final String NAME = "scrape";
  private static final String TOKEN = "millrace";
  private static final String USER_AGENT = "Millrace/1.0";
  private static final long MOST_BYTES = 5L << 20;
  private static final Set<String> HTML = Set.of("", "text/html", "application/xhtml+xml");

  private final FetchClient client;
  private final Robots robots;

  public ScrapeProvider(FetchClient client) {
    this(client, Ticker.systemTicker());
  }

  ScrapeProvider(FetchClient client, Ticker ticker) {
    this.client = client;
    this.robots = new Robots(client, USER_AGENT, TOKEN, ticker);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Outcome execute(Work work) {
    ScrapeInput input;
    try {
      input = ScrapeInput.of(work.input());
    } catch (ScrapeInput.Unusable e) {
      return new Outcome.Failed(e.sentence());
    }
    work.progress(10, "fetching", "Fetching the page");
    AtomicReference<@Nullable Outcome> objection = new AtomicReference<>();
    FetchResult result =
        client.fetch(
            FetchRequest.get(input.url())
                .header("User-Agent", USER_AGENT)
                .header("Accept", "text/html, application/xhtml+xml, text/plain;q=0.5")
                .within(FetchLimits.USUAL.withBodyBytes(MOST_BYTES))
                .stopWhen(work::canceled)
                .guardedBy(next -> {
                  Optional<Outcome> said = robots.objection(next, work::canceled);
                  objection.set(said.orElse(null));
                  return said.map(_ -> new FetchResult.Refused(FetchResult.Reason.CALLER));
                }));
    Outcome said = objection.get();
    return said != null ? said : outcome(work, input, result);
  }

  private static Outcome outcome(Work work, ScrapeInput input, FetchResult result) {
    return switch (result) {
      case Fetched fetched -> read(work, input, fetched);
      case FetchResult.Refused(var reason) ->
          new Outcome.Failed("The URL can't be fetched: " + reason.text() + ".");
      case FetchResult.TimedOut _ ->
          new Outcome.Unavailable("The page took too long.", Optional.empty());
      case FetchResult.TooLarge _ ->
          new Outcome.Failed("The page is larger than " + (MOST_BYTES >> 20) + " MB.");
      case FetchResult.Unreachable(var gap) ->
          new Outcome.Unavailable(
              "The URL can't be fetched: " + gap.text() + ".", Optional.empty());
      case FetchResult.Stopped() -> new Outcome.Canceled();
    };
  }

  private static Outcome read(Work work, ScrapeInput input, Fetched fetched) {
    int status = fetched.status();
    if (status == 429 || status == 503) {
      return new Outcome.Throttled(fetched.headers().retryAfter());
    }
    if (status >= 500 || status == 408 || status == 425) {
      return new Outcome.Unavailable("The page answered " + status + ".", Optional.empty());
    }
    if (status >= 300) {
      return new Outcome.Failed("The page answered " + status + ".");
    }
    work.progress(60, "reading", "Reading the page");
    String type = fetched.headers().mediaType();
    PageReader reader = new PageReader(input.maxCharacters(), input.maxImages());
    try {
      if (HTML.contains(type)) {
        return told(input, fetched, reader.html(fetched));
      }
      return type.equals("text/plain")
          ? told(input, fetched, reader.plain(fetched))
          : new Outcome.Failed("The URL leads to something that is not a page.");
    } catch (IOException | RuntimeException e) {
      // A page that breaks its reader would break it again.
      return new Outcome.Failed("The page can't be read.");
    }
  }

  private static Outcome told(ScrapeInput input, Fetched fetched, Page page) {
    byte[] json = PageDocument.of(input.url(), fetched, page);
    return new Outcome.Succeeded(
        List.of(new Output("page.json", "application/json", out -> out.write(json))),
        Map.of(
            "title",
            CleanText.line(page.title(), 200),
            "status",
            fetched.status(),
            "characters",
            page.text().length(),
            "images",
            page.images().size()));
  }
}
