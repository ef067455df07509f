package dev.millrace.service.browsers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OriginPatternTest {

  @ParameterizedTest
  @CsvSource({
    "https://app.example.com, https://app.example.com",
    "HTTPS://App.Example.COM:443, https://app.example.com",
    "http://localhost:3000, http://localhost:3000",
    "http://127.0.0.1:80, http://127.0.0.1",
    "https://[::1]:8443, https://[::1]:8443",
    "https://*.example.com, https://*.example.com",
    "https://*.example.co.uk:8443, https://*.example.co.uk:8443",
  })
  void an_origin_is_kept_as_browsers_write_it(String given, String kept) {
    assertThat(OriginPattern.parse(given)).contains(kept);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "null",
        "example.com",
        "ftp://example.com",
        "https://",
        "https://a.com/",
        "https://a.com/x",
        "https://a.com?x",
        "https://u@a.com",
        "https://a.com:0",
        "https://a.com:65536",
        "https://*.com",
        "https://*",
        "https://a.*.com",
        "https://*a.com",
        "https://-a.com",
        "https://a..com",
        "https://*.0.0.1",
        "https://a.com, https://b.com",
        "https://bücher.example"
      })
  void what_no_browser_would_tell_is_no_origin(String given) {
    assertThat(OriginPattern.parse(given)).isEmpty();
  }

  @Test
  void a_pattern_allows_what_is_below_it_and_not_itself_or_a_neighbour() {
    assertThat(OriginPattern.allowing("https://a.b.example.com:8443"))
        .containsExactly(
            "https://a.b.example.com:8443",
            "https://*.b.example.com:8443",
            "https://*.example.com:8443",
            "https://*.com:8443");
    assertThat(OriginPattern.allowing("https://example.com"))
        .doesNotContain("https://*.example.com");
    assertThat(OriginPattern.allowing("https://evilexample.com"))
        .doesNotContain("https://*.example.com");
    assertThat(OriginPattern.allowing("https://*.example.com")).isEmpty();
    assertThat(OriginPattern.allowing("null")).isEmpty();
  }
}
