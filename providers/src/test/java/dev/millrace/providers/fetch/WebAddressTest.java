package dev.millrace.providers.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** URLs have one reading, and redirects lead where RFC 3986 says. */
class WebAddressTest {

  @Test
  void a_location_is_resolved_against_where_it_was_found() throws FetchTrouble {
    WebAddress here = WebAddress.parse("https://shop.example.com:8443/a/b/c?d=e#f");

    for (String[] row :
        new String[][] {
          {"x", "https://shop.example.com:8443/a/b/x"},
          {"../x", "https://shop.example.com:8443/a/x"},
          {"../../../../x", "https://shop.example.com:8443/x"},
          {"./", "https://shop.example.com:8443/a/b/"},
          {"..", "https://shop.example.com:8443/a/"},
          {"/x/./y//z", "https://shop.example.com:8443/x/y//z"},
          {"?q=1", "https://shop.example.com:8443/a/b/c?q=1"},
          {"?q=a/b", "https://shop.example.com:8443/a/b/c?q=a/b"},
          {"#g", "https://shop.example.com:8443/a/b/c?d=e"},
          {"", "https://shop.example.com:8443/a/b/c?d=e"},
          {"//other.example.org/x", "https://other.example.org/x"},
          {"http://other.example.org", "http://other.example.org/"},
          {"HTTPS://OTHER.example.org:443", "https://other.example.org/"},
          {"http://other.example.org:443/", "http://other.example.org:443/"},
          {"x%2Fy%zz{}", "https://shop.example.com:8443/a/b/x%2Fy%25zz%7B%7D"},
        }) {
      assertThat(here.resolve(row[0]).uri()).as(row[0]).hasToString(row[1]);
    }
  }

  @Test
  void a_pause_is_read_in_seconds_or_as_a_date() {
    FetchHeaders headers = new FetchHeaders();
    headers.add("Date", "Mon, 16 Nov 2026 04:00:00 GMT");
    assertThat(headers.retryAfter()).isEmpty();

    for (String[] row :
        new String[][] {
          {"Mon, 16 Nov 2026 04:00:30 GMT", "PT30S"},
          {"Mon, 16 Nov 2026 03:00:00 GMT", "PT0S"},
          {" 12 ", "PT12S"},
        }) {
      FetchHeaders asked = new FetchHeaders();
      asked.add("Date", "Mon, 16 Nov 2026 04:00:00 GMT");
      asked.add("retry-after", row[0]);
      assertThat(asked.retryAfter()).as(row[0]).contains(Duration.parse(row[1]));
    }
    for (String nonsense : new String[] {"-1", "1e9", "soon", "99999999999999999999", ""}) {
      FetchHeaders asked = new FetchHeaders();
      asked.add("Retry-After", nonsense);
      assertThat(asked.retryAfter()).as(nonsense).isEmpty();
    }
  }
}
