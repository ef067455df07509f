package dev.millrace.providers.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.fetch.FetchResult.Fetched;
import dev.millrace.providers.fetch.FetchResult.Reason;
import dev.millrace.providers.fetch.FetchResult.Refused;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redirects are followed a few times, each judged anew, and carry no secret away. */
class RedirectTest {

  private final Site site = new Site();
  private final FetchClient client = site.client();

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void each_kind_of_redirect_is_followed_and_the_last_url_is_told() {
    site.page("/b/c?d=1", "here");
    for (int status : new int[] {301, 302, 303, 307, 308}) {
      site.redirect("/a", status, "/b/c?d=1#part");

      Fetched fetched = (Fetched) client.fetch(FetchRequest.get(site.url("/a")));

      assertThat(fetched.body().text()).isEqualTo("here");
      assertThat(fetched.url()).isEqualTo(URI.create(site.url("/b/c?d=1")));
    }
  }

  @Test
  void ten_hops_are_followed_and_eleven_are_not() {
    for (int i = 0; i < 11; i++) {
      site.redirect("/hop" + i, 302, "hop" + (i + 1));
    }
    site.page("/hop11", "far away");

    assertThat(client.fetch(FetchRequest.get(site.url("/hop1")))).isInstanceOf(Fetched.class);
    assertThat(client.fetch(FetchRequest.get(site.url("/hop0"))))
        .isEqualTo(new Refused(Reason.REDIRECTS));
  }

  @Test
  void a_circle_is_noticed_at_once() {
    site.redirect("/a", 302, "/b").redirect("/b", 302, "/a").redirect("/self", 302, "");

    assertThat(client.fetch(FetchRequest.get(site.url("/a"))))
        .isEqualTo(new Refused(Reason.REDIRECT_LOOP));
    assertThat(site.connections()).isEqualTo(2);
    assertThat(client.fetch(FetchRequest.get(site.url("/self"))))
        .isEqualTo(new Refused(Reason.REDIRECT_LOOP));
  }

  @Test
  void only_the_web_is_followed() {
    for (String location :
        List.of(
            "ftp://shop.example.com/",
            "file:///etc/passwd",
            "gopher://shop.example.com:70/_x",
            "javascript:alert(1)",
            "data:text/html,hello",
            "ldap://shop.example.com/",
            "netdoc:///etc/passwd")) {
      site.redirect("/", 302, location);

      assertThat(client.fetch(FetchRequest.get(site.url("/"))))
          .as(location)
          .isEqualTo(new Refused(Reason.SCHEME));
    }
  }

  @Test
  void a_redirect_without_a_place_is_an_answer() {
    site.on("/", (_, out) -> Site.write(out, "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"));

    assertThat(((Fetched) client.fetch(FetchRequest.get(site.url("/")))).status()).isEqualTo(302);
  }

  @Test
  void with_no_redirects_allowed_a_redirect_is_an_answer() {
    site.redirect("/", 302, "/b");

    Fetched fetched =
        (Fetched)
            client.fetch(
                FetchRequest.get(site.url("/")).within(FetchLimits.USUAL.withRedirects(0)));

    assertThat(fetched.status()).isEqualTo(302);
    assertThat(site.connections()).isEqualTo(1);
  }

  @Test
  void a_body_is_never_sent_on() {
    site.redirect("/", 307, "/b");

    Fetched fetched =
        (Fetched)
            client.fetch(
                FetchRequest.post(
                    site.url("/"), "text/plain", "secret".getBytes(StandardCharsets.UTF_8)));

    assertThat(fetched.status()).isEqualTo(307);
    assertThat(site.connections()).isEqualTo(1);
  }

  @Test
  void credentials_stay_with_their_origin_and_do_not_come_back() {
    site.redirect("/a", 302, "/b")
        .redirect("/b", 302, site.url("elsewhere.example.org", "/c"))
        .redirect("/c", 302, site.url("/d"))
        .page("/d", "home");

    client.fetch(
        FetchRequest.get(site.url("/a"))
            .header("Authorization", "Bearer s3cret")
            .header("Cookie", "session=s3cret")
            .credential("X-Fleet-Secret", "s3cret")
            .header("Accept-Language", "de"));

    List<Site.Seen> hops = site.seen();
    assertThat(hops).hasSize(4);
    for (int hop = 0; hop < 2; hop++) {
      assertThat(hops.get(hop).headers()).containsKeys("authorization", "cookie", "x-fleet-secret");
    }
    for (int hop = 2; hop < 4; hop++) {
      assertThat(hops.get(hop).headers().toString()).doesNotContain("s3cret");
      assertThat(hops.get(hop).headers()).containsEntry("accept-language", "de");
    }
  }

  @Test
  void the_caller_is_asked_before_every_hop() {
    site.redirect("/a", 302, "/b").page("/b", "no");
    List<String> asked = new ArrayList<>();

    FetchResult result =
        client.fetch(
            FetchRequest.get(site.url("/a"))
                .guardedBy(next -> {
                  asked.add(next.getPath());
                  return next.getPath().equals("/b")
                      ? Optional.of(new Refused(Reason.CALLER))
                      : Optional.empty();
                }));

    assertThat(result).isEqualTo(new Refused(Reason.CALLER));
    assertThat(asked).containsExactly("/a", "/b");
    assertThat(site.connections()).isEqualTo(1);
  }
}
