package dev.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SayTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void times_are_told_relative_to_now() {
    assertThat(Say.ago("2026-03-01T12:00:00Z", NOW)).isEqualTo("now");
    assertThat(Say.ago("2026-03-01T11:59:48.5Z", NOW)).isEqualTo("11s ago");
    assertThat(Say.ago("2026-03-01T11:56:00Z", NOW)).isEqualTo("4m ago");
    assertThat(Say.ago("2026-02-28T12:00:01Z", NOW)).isEqualTo("23h ago");
    assertThat(Say.ago("2026-02-01T12:00:00Z", NOW)).isEqualTo("28d ago");
    assertThat(Say.ago("2026-03-01T12:05:00Z", NOW)).isEqualTo("in 5m");
  }

  @Test
  void what_is_no_time_is_left_alone() {
    assertThat(Say.ago("", NOW)).isEmpty();
    assertThat(Say.ago("yesterday", NOW)).isEqualTo("yesterday");
  }

  @Test
  void spans_and_sizes_are_short() {
    assertThat(Say.stopwatch(Duration.ofSeconds(7))).isEqualTo("0:07");
    assertThat(Say.stopwatch(Duration.ofSeconds(3_723))).isEqualTo("1:02:03");
    assertThat(Say.size(999)).isEqualTo("999 B");
    assertThat(Say.size(1_450_000)).isEqualTo("1.5 MB");
    assertThat(Say.size(999_999)).isEqualTo("1.0 MB");
    assertThat(Say.count(1, "attempt") + ", " + Say.count(2, "attempt"))
        .isEqualTo("1 attempt, 2 attempts");
  }
}
