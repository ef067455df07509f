package dev.millrace.providers.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a service wants to be left alone. */
class RepliesTest {

  private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");

  private static Reply reply(String header, String body) {
    return new Reply(429, Map.of("RETRY-after", List.of(header)), body);
  }

  @ParameterizedTest
  @CsvSource({
    "7, 7",
    "0, 0",
    "'Sun, 15 Nov 2026 10:00:30 GMT', 30",
    "'Sun, 15 Nov 2026 09:00:00 GMT', 0",
    "86400, 3600",
    "999999999, 3600"
  })
  void a_pause_is_a_number_or_a_date_and_at_most_an_hour(String header, long seconds) {
    assertThat(Replies.retryAfter(reply(header, ""), NOW)).contains(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "soon", "1e9", "99999999999999999999", "1.5"})
  void what_is_no_pause_is_left_out(String header) {
    assertThat(Replies.retryAfter(reply(header, ""), NOW)).isEmpty();
  }

  @Test
  void a_pause_in_words_counts_if_there_is_no_header() {
    String recorded = "{\"detail\":\"Request was throttled. Your rate limit resets in ~30s.\"}";

    assertThat(Replies.retryAfter(new Reply(429, Map.of(), recorded), NOW))
        .contains(Duration.ofSeconds(30));
    assertThat(Replies.retryAfter(reply("5", recorded), NOW)).contains(Duration.ofSeconds(5));
  }
}
