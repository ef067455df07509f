package dev.millrace.providers.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.fetch.FetchResult.Fetched;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What people usually fetch, fetched. */
class OrdinaryFetchTest {

  private final Site site = new Site();
  private final FetchClient client = site.client();

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void a_page_comes_with_status_headers_body_and_url() {
    site.on(
        "/catalogue?page=2",
        (_, out) ->
            Site.write(
                out,
                "HTTP/1.1 203 Fine\r\nContent-Type: Text/HTML; charset=x\r\nX-Two: 1\r\n"
                    + "X-Two: 2\r\nRetry-After: 7\r\nContent-Length: 5\r\n\r\nhello"));

    Fetched fetched = (Fetched) client.fetch(FetchRequest.get(site.url("/catalogue?page=2#top")));

    assertThat(fetched.status()).isEqualTo(203);
    assertThat(fetched.headers().mediaType()).isEqualTo("text/html");
    assertThat(fetched.headers().all("x-two")).containsExactly("1", "2");
    assertThat(fetched.headers().retryAfter()).contains(Duration.ofSeconds(7));
    assertThat(fetched.body().text()).isEqualTo("hello");
    assertThat(fetched.url()).isEqualTo(URI.create(site.url("/catalogue?page=2")));
  }

  @Test
  void the_request_carries_the_name_and_nothing_that_was_not_asked_for() {
    site.page("/", "hello");

    client.fetch(FetchRequest.get(site.url("/")).header("User-Agent", "Millrace"));

    Site.Seen seen = site.seen().getFirst();
    assertThat(seen.line()).isEqualTo("GET / HTTP/1.1");
    assertThat(seen.headers())
        .containsEntry("host", "shop.example.com:" + site.port())
        .containsOnlyKeys("host", "connection", "user-agent", "accept-encoding");
  }

  @Test
  void every_failure_is_an_answer_too() {
    site.on("/", (_, out) -> Site.write(out, "HTTP/1.1 500 Oops\r\nContent-Length: 2\r\n\r\nno"));

    Fetched fetched = (Fetched) client.fetch(FetchRequest.get(site.url("/")));

    assertThat(fetched.status()).isEqualTo(500);
    assertThat(fetched.body().text()).isEqualTo("no");
  }

  @Test
  void compressed_and_chunked_bodies_are_unpacked() {
    site.on(
        "/",
        (_, out) -> {
          ByteArrayOutputStream packed = new ByteArrayOutputStream();
          try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("grüß dich".repeat(1_000).getBytes(StandardCharsets.UTF_8));
          }
          Site.write(
              out,
              "HTTP/1.1 200 OK\r\nContent-Encoding: GZIP\r\nTransfer-Encoding: chunked\r\n\r\n"
                  + Integer.toHexString(packed.size())
                  + "\r\n");
          packed.writeTo(out);
          Site.write(out, "\r\n0\r\n\r\n");
        });

    assertThat(((Fetched) client.fetch(FetchRequest.get(site.url("/")))).body().text())
        .isEqualTo("grüß dich".repeat(1_000));
  }

  @Test
  void names_and_paths_of_other_scripts_are_encoded() {
    AtomicReference<String> resolved = new AtomicReference<>("");
    FetchClient german =
        new FetchClient(
            site.policy(),
            name -> {
              resolved.set(name);
              return List.of(InetAddress.ofLiteral(Site.ADDRESS));
            });
    site.page("/stra%C3%9Fe/a%20b?q=%E2%82%AC&x=%5B1%5D", "hier");

    Fetched fetched =
        (Fetched)
            german.fetch(
                FetchRequest.get(site.url("Bücher.example.com", "/x/../straße/a%20b?q=€&x=[1]")));

    assertThat(fetched.body().text()).isEqualTo("hier");
    assertThat(resolved.get()).isEqualTo("xn--bcher-kva.example.com");
  }

  @Test
  void a_name_with_a_dot_at_its_end_is_the_same_name() {
    site.page("/", "hello");

    client.fetch(FetchRequest.get(site.url("SHOP.example.com.", "/")));

    assertThat(site.seen().getFirst().headers())
        .containsEntry("host", "shop.example.com:" + site.port());
  }

  @Test
  void a_body_can_be_sent_and_an_answer_read_as_it_comes() throws Exception {
    site.page("/", "one\ntwo");

    try (FetchStream stream =
        client.open(
            FetchRequest.post(
                site.url("/"), "application/json", "{}".getBytes(StandardCharsets.UTF_8)))) {
      assertThat(stream.status()).isEqualTo(200);
      assertThat(stream.body().read()).isEqualTo('o');
      assertThat(stream.readAll().text()).isEqualTo("ne\ntwo");
    }
    assertThat(site.seen().getFirst().headers())
        .containsEntry("content-type", "application/json")
        .containsEntry("content-length", "2");
  }

  @Test
  void a_request_prints_neither_its_url_nor_its_headers() {
    FetchRequest request =
        FetchRequest.get("http://shop.example.com/?token=s3cret")
            .header("Authorization", "Bearer s3cret");

    assertThat(request.toString()).doesNotContain("s3cret");
  }
}
