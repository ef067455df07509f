package dev.millrace.providers.scrape;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchLimits;
import dev.millrace.providers.fetch.FetchRequest;
import dev.millrace.providers.fetch.FetchResult;
import dev.millrace.providers.fetch.FetchStream;
import dev.millrace.providers.fetch.FetchTrouble;
import dev.millrace.spi.provider.Outcome;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Every site's wishes, remembered for a day as RFC 9309 allows. A site without a robots.txt may be
 * read; one whose robots.txt can't be had just now may not.
 */
final class Robots {

  private static final Duration REMEMBERED = Duration.ofHours(24);
  private static final int MOST_REMEMBERED_BYTES = 32 << 20;
  private static final int MOST_BYTES = 500 << 10;
  private static final int MOST_REDIRECTS = 5;

  private static final FetchLimits LIMITS =
      FetchLimits.USUAL
          .withBodyBytes(Long.MAX_VALUE)
          .withRedirects(MOST_REDIRECTS)
          .withTotal(Duration.ofSeconds(15));

  private final FetchClient client;
  private final String userAgent;
  private final String token;
  private final Cache<String, RobotsRules> known;

  Robots(FetchClient client, String userAgent, String token, Ticker ticker) {
    this.client = client;
    this.userAgent = userAgent;
    this.token = token;
    this.known =
        Caffeine.newBuilder()
            .ticker(ticker)
            .expireAfterWrite(REMEMBERED)
            .maximumWeight(MOST_REMEMBERED_BYTES)
            .weigher((String origin, RobotsRules rules) -> origin.length() + rules.size())
            .build();
  }

  /**
   * What a site says to reading a page.
   *
   * @param stop ends the question when it becomes true
   * @return the outcome of an attempt that may not go on, or nothing
   */
  Optional<Outcome> objection(URI page, BooleanSupplier stop) {
    String origin = page.getScheme() + "://" + page.getRawAuthority();
    RobotsRules rules = known.getIfPresent(origin);
    if (rules == null) {
      try {
        rules = ask(origin, stop);
      } catch (FetchTrouble e) {
        return Optional.of(
            e.trouble() instanceof FetchResult.Stopped
                ? new Outcome.Canceled()
                : new Outcome.Unavailable(
                    "The site's robots.txt can't be read just now.", Optional.empty()));
      } catch (Busy e) {
        return Optional.of(new Outcome.Throttled(e.retryAfter));
      }
      known.put(origin, rules);
    }
    String target =
        page.getRawPath() + (page.getRawQuery() == null ? "" : "?" + page.getRawQuery());
    return rules.allow(target)
        ? Optional.empty()
        : Optional.of(
            new Outcome.Failed("The site's robots.txt asks programs not to read this page."));
  }

  private RobotsRules ask(String origin, BooleanSupplier stop) throws FetchTrouble, Busy {
    FetchRequest request =
        FetchRequest.get(origin + "/robots.txt")
            .header("User-Agent", userAgent)
            .within(LIMITS)
            .stopWhen(stop);
    try (FetchStream stream = client.open(request)) {
      int status = stream.status();
      if (status == 429 || status == 503) {
        throw new Busy(stream.headers().retryAfter());
      }
      if (status >= 500) {
        throw new FetchTrouble(new FetchResult.Unreachable(FetchResult.Gap.BROKEN));
      }
      return status < 300
          ? RobotsRules.read(
              new String(stream.body().readNBytes(MOST_BYTES), StandardCharsets.UTF_8), token)
          : RobotsRules.ALLOW_ALL;
    } catch (FetchTrouble e) {
      if (e.trouble() instanceof FetchResult.Refused) {
        // It sends us where we don't go, or in circles: there are no rules to be had.
        return RobotsRules.ALLOW_ALL;
      }
      throw e;
    } catch (IOException e) {
      throw new FetchTrouble(new FetchResult.Unreachable(FetchResult.Gap.BROKEN));
    }
  }

  /** The site asks for a pause. */
  @SuppressWarnings("serial")
  private static final class Busy extends Exception {
    private final Optional<Duration> retryAfter;

    Busy(Optional<Duration> retryAfter) {
      super("the site asks for a pause");
      this.retryAfter = retryAfter;
    }
  }
}
