package dev.millrace.providers.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.providers.fetch.Site;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Outcome.Succeeded;
import dev.millrace.testkit.attempt.TestWork;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whatever a page is made of, it is read within bounds or refused. */
@Timeout(60)
class AdversarialPageTest {

  private static final String HTML = "text/html";

  private final Site site = new Site();
  private final ScrapeProvider provider = new ScrapeProvider(site.client());

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void deep_nesting_ends_neither_the_stack_nor_our_patience() {
    page(HTML, "<div>".repeat(200_000) + "deep");
    assertThat(run()).isInstanceOf(Succeeded.class);

    page(HTML, "<table><tr><td>".repeat(30_000) + "deep");
    assertThat(run()).isInstanceOf(Succeeded.class);

    page(HTML, "<a><b><i>".repeat(30_000) + "deep</b>".repeat(30_000));
    assertThat(run()).isInstanceOf(Succeeded.class);
  }

  @Test
  void huge_attributes_and_many_of_them_are_dropped() {
    StringBuilder many = new StringBuilder("<img ");
    for (int i = 0; i < 100_000; i++) {
      many.append("a").append(i).append("=1 ");
    }
    page(
        HTML,
        many
            + "src=x.png><img src='/"
            + "x".repeat(1_000_000)
            + "'><meta name=k content='"
            + "y".repeat(1_000_000)
            + "'><p>text");

    JsonNode document = read();

    assertThat(document.path("text").asString()).isEqualTo("text");
    assertThat(document.path("metadata").path("k").asString()).hasSize(2_000);
    assertThat(document.toString().length()).isLessThan(10_000);
  }

  @Test
  void nul_and_control_characters_never_reach_the_document() {
    page(
        HTML,
        "<title>a\0b\u0007c</title><p>x\0y\u001bz &#0; &#xd800; \ufdd0</p><img alt='\0' src=/a>");

    String json = read().toString();

    assertThat(json).doesNotContain("\0").doesNotContain("\\u0000").doesNotContain("\u001b");
    assertThat(json.chars().noneMatch(c -> Character.isSurrogate((char) c))).isTrue();
  }

  @Test
  void a_wrong_charset_is_survived_and_a_right_one_used() {
    Charset latin = Charset.forName("windows-1252");
    page(HTML + "; charset=iso-8859-1", "<p>caf\u00e9 \u201cx\u201d".getBytes(latin));
    assertThat(read().path("text").asString()).isEqualTo("caf\u00e9 \u201cx\u201d");

    page(HTML, "<meta charset=windows-1252><p>caf\u00e9".getBytes(latin));
    assertThat(read().path("text").asString()).isEqualTo("caf\u00e9");

    page(HTML + "; charset=utf-8", "<p>caf\u00e9".getBytes(latin));
    assertThat(read().path("text").asString()).startsWith("caf");

    page(HTML + "; charset=no-such-thing", "<p>caf\u00e9".getBytes(StandardCharsets.UTF_8));
    assertThat(read().path("text").asString()).isEqualTo("caf\u00e9");

    page(HTML + "; charset=\"x;", "<meta charset='?!'><p>ok".getBytes(StandardCharsets.UTF_8));
    assertThat(read().path("text").asString()).isEqualTo("ok");

    page(HTML, "\ufeff<p>caf\u00e9".getBytes(StandardCharsets.UTF_16BE));
    assertThat(read().path("text").asString()).isEqualTo("caf\u00e9");
  }

  @Test
  void a_page_that_unfolds_into_gigabytes_is_refused() throws IOException {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bomb)) {
      byte[] piece = "<p>boom</p>".repeat(10_000).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 2_000; i++) {
        gzip.write(piece);
      }
    }
    site.on(
        "/",
        (_, out) -> {
          Site.write(
              out, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n");
          bomb.writeTo(out);
        });

    assertThat(run()).isEqualTo(new Outcome.Failed("The page is larger than 5 MB."));
  }

  @Test
  void long_texts_and_galleries_are_cut_to_what_was_asked_for() {
    page(HTML, "<p>" + "word ".repeat(100_000) + "<img src=/i.png>".repeat(10_000));
    TestWork work = work().with("max_characters", 1_000).with("max_images", 3);

    JsonNode document = document(provider.execute(work));

    assertThat(document.path("text").asString().length()).isLessThanOrEqualTo(1_000);
    assertThat(document.path("text_cut").asBoolean()).isTrue();
    assertThat(document.path("images").size()).isLessThanOrEqualTo(3);
  }

  @Test
  void what_is_not_a_page_is_told_so() {
    page("image/png", "\u0089PNG");

    assertThat(run())
        .isEqualTo(new Outcome.Failed("The URL leads to something that is not a page."));
  }

  @Test
  void plain_text_is_a_page_too() {
    page("text/plain", "one  line\r\n<b>not html</b>\0");

    assertThat(read().path("text").asString()).isEqualTo("one line\n<b>not html</b>");
  }

  @Test
  void a_base_address_cannot_smuggle_in_another_scheme() {
    page(HTML, "<base href='file:///etc/'><img src=passwd><img src='http://a b'><img src=//x/y>");

    assertThat(read().path("images").values())
        .allMatch(image -> image.path("url").asString().startsWith("http"));
  }

  private void page(String type, String html) {
    page(type, html.getBytes(StandardCharsets.UTF_8));
  }

  private void page(String type, byte[] html) {
    site.on(
        "/",
        (_, out) -> {
          Site.write(out, "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n\r\n");
          out.write(html);
        });
  }

  private TestWork work() {
    return new TestWork().with("url", site.url("/"));
  }

  private Outcome run() {
    return provider.execute(work());
  }

  private JsonNode read() {
    return document(run());
  }

  private static JsonNode document(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Succeeded.class);
    return JsonMapper.shared().readTree(TestWork.bytes(((Succeeded) outcome).outputs().getFirst()));
  }
}
