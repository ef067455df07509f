package dev.millrace.providers.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.fetch.FetchClient;
import dev.millrace.providers.fetch.FetchPolicy;
import dev.millrace.providers.fetch.Site;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Outcome.Succeeded;
import dev.millrace.testkit.attempt.TestWork;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A page becomes a document, where the site lets us. */
class ScrapeTest {

  private final Site site = new Site();
  private final AtomicLong nanos = new AtomicLong();
  private final ScrapeProvider provider = new ScrapeProvider(site.client(), nanos::get);

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void title_text_pictures_and_metadata_are_read() {
    html(
        "/shoe",
        """
        <!doctype html><html lang="en"><head><title> The
          Red  Shoe </title>
        <meta name="Description" content="A shoe &amp; more"><meta property="og:site_name" content="Shop">
        <meta property="og:image" content="/big.jpg"><link rel="canonical" href="/shoe?x=1">
        <style>p {color: red}</style></head><body><h1>Red shoe</h1><p>Runs   <b>fast</b>.<br>Lasts.</p>
        <script>alert('no')</script><p hidden>secret</p><template>none</template>
        <img src="a.png" alt="From the side" width="640" height="480"><img src="a.png">
        <img src="data:image/png;base64,AAAA"><img data-src="//cdn.example.org/b.png">
        <img src="javascript:alert(1)"></body></html>
        """);

    JsonNode page = page("/shoe");

    assertThat(page.path("title").asString()).isEqualTo("The Red Shoe");
    assertThat(page.path("description").asString()).isEqualTo("A shoe & more");
    assertThat(page.path("language").asString()).isEqualTo("en");
    assertThat(page.path("canonical_url").asString()).isEqualTo(site.url("/shoe?x=1"));
    assertThat(page.path("text").asString()).isEqualTo("Red shoe\nRuns fast.\nLasts.");
    assertThat(page.path("metadata").path("og:site_name").asString()).isEqualTo("Shop");
    assertThat(page.path("images").values())
        .extracting(image -> image.path("url").asString())
        .containsExactly(site.url("/big.jpg"), site.url("/a.png"), "http://cdn.example.org/b.png");
    assertThat(page.path("images").path(1).path("alt").asString()).isEqualTo("From the side");
    assertThat(page.path("images").path(1).path("width").asInt()).isEqualTo(640);
    assertThat(page.path("final_url").asString()).isEqualTo(site.url("/shoe"));
  }

  @Test
  void small_facts_go_into_the_summary_and_progress_is_told() {
    html("/", "<title>Hi</title><p>there");
    TestWork work = work("/");

    Succeeded succeeded = (Succeeded) provider.execute(work);

    assertThat(succeeded.summary())
        .containsEntry("title", "Hi")
        .containsEntry("status", 200)
        .containsEntry("characters", 5)
        .containsEntry("images", 0);
    assertThat(work.reports())
        .extracting(TestWork.Report::step)
        .containsExactly("fetching", "reading");
    assertThat(succeeded.outputs().getFirst().mediaType()).isEqualTo("application/json");
  }

  @Test
  void robots_are_asked_once_a_day_and_obeyed() {
    site.page("/robots.txt", "User-agent: *\nDisallow: /private\n");
    html("/", "<p>open");
    html("/private", "<p>closed");

    assertThat(run("/")).isInstanceOf(Succeeded.class);
    assertThat(run("/private"))
        .isEqualTo(
            new Outcome.Failed("The site's robots.txt asks programs not to read this page."));
    assertThat(asked("/robots.txt")).isEqualTo(1);
    assertThat(asked("/private")).isZero();

    nanos.addAndGet(Duration.ofHours(25).toNanos());
    assertThat(run("/")).isInstanceOf(Succeeded.class);
    assertThat(asked("/robots.txt")).isEqualTo(2);
  }

  @Test
  void a_redirect_does_not_lead_around_robots() {
    site.page("/robots.txt", "User-agent: *\nDisallow: /private\n");
    site.redirect("/", 302, "/private");
    html("/private", "<p>closed");

    assertThat(run("/")).isInstanceOf(Outcome.Failed.class);
    assertThat(asked("/private")).isZero();
  }

  @Test
  void without_a_robots_file_a_site_may_be_read_and_with_a_broken_one_not_yet() {
    html("/", "<p>open");
    assertThat(run("/")).isInstanceOf(Succeeded.class);

    nanos.addAndGet(Duration.ofHours(25).toNanos());
    status("/robots.txt", 500, "");
    assertThat(run("/")).isInstanceOf(Outcome.Unavailable.class);

    status("/robots.txt", 503, "Retry-After: 9\r\n");
    assertThat(run("/")).isEqualTo(new Outcome.Throttled(Optional.of(Duration.ofSeconds(9))));

    site.page("/robots.txt", "User-agent: *\nAllow: /\n");
    assertThat(run("/")).isInstanceOf(Succeeded.class);
  }

  @Test
  void a_refused_url_fails_for_good_with_its_reason() {
    ScrapeProvider strict = new ScrapeProvider(new FetchClient(FetchPolicy.PUBLIC_WEB));

    for (String url :
        new String[] {
          "http://127.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://[::1]/"
        }) {
      assertThat(strict.execute(new TestWork().with("url", url)))
          .isEqualTo(
              new Outcome.Failed(
                  "The URL can't be fetched: its host is not on the public internet."));
    }
    assertThat(strict.execute(new TestWork().with("url", "file:///etc/passwd")))
        .isEqualTo(
            new Outcome.Failed("The URL can't be fetched: only http and https are fetched."));
    assertThat(strict.execute(new TestWork())).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void each_status_has_its_outcome() {
    status("/429", 429, "Retry-After: 30\r\n");
    status("/503", 503, "");
    status("/500", 500, "");
    status("/404", 404, "");
    status("/403", 403, "");

    assertThat(run("/429")).isEqualTo(new Outcome.Throttled(Optional.of(Duration.ofSeconds(30))));
    assertThat(run("/503")).isEqualTo(new Outcome.Throttled(Optional.empty()));
    assertThat(run("/500")).isInstanceOf(Outcome.Unavailable.class);
    assertThat(run("/404")).isEqualTo(new Outcome.Failed("The page answered 404."));
    assertThat(run("/403")).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void a_site_that_hangs_up_or_is_gone_may_come_back() {
    site.on("/", (_, _) -> {});
    assertThat(run("/")).isInstanceOf(Outcome.Unavailable.class);
    site.close();
    assertThat(run("/")).isInstanceOf(Outcome.Unavailable.class);
  }

  @Test
  void a_cancel_is_heard_while_the_page_is_awaited() {
    TestWork work = work("/");
    site.on(
        "/",
        (_, _) -> {
          work.cancel();
          site.never();
        });

    assertThat(provider.execute(work)).isEqualTo(new Outcome.Canceled());
  }

  private void html(String target, String html) {
    site.on(
        target,
        (_, out) ->
            Site.write(
                out, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html));
  }

  private void status(String target, int status, String headers) {
    site.on(
        target,
        (_, out) ->
            Site.write(
                out, "HTTP/1.1 %d X\r\n%sContent-Length: 0\r\n\r\n".formatted(status, headers)));
  }

  private long asked(String target) {
    return site.seen().stream().filter(seen -> seen.line().contains(" " + target + " ")).count();
  }

  private TestWork work(String target) {
    return new TestWork().with("url", site.url(target));
  }

  private Outcome run(String target) {
    return provider.execute(work(target));
  }

  private JsonNode page(String target) {
    Succeeded succeeded = (Succeeded) run(target);
    return JsonMapper.shared().readTree(TestWork.bytes(succeeded.outputs().getFirst()));
  }
}
