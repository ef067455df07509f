package dev.millrace.service.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long to rest after a failure. */
class RestTest {

  private final RetryPause rest = new RetryPause(() -> 0.5);

  @Test
  void ten_attempts_fill_a_day() {
    Duration sum = Duration.ZERO;
    int attempts = 1;
    while (sum.compareTo(Duration.ofHours(23)) < 0) {
      Duration next = rest.after(attempts, Optional.empty());
      assertThat(next).isBetween(Duration.ofSeconds(4), Duration.ofHours(10));
      sum = sum.plus(next);
      attempts++;
    }
    assertThat(attempts).isBetween(9, 13);
  }

  @Test
  void who_asks_for_a_longer_rest_gets_it_within_bounds_and_nobody_a_shorter_one() {
    assertThat(rest.after(1, Optional.of(Duration.ofMinutes(7)))).isEqualTo(Duration.ofMinutes(7));
    assertThat(rest.after(1, Optional.of(Duration.ofDays(300))))
        .isEqualTo(RetryPause.LONGEST_ASKED);
    assertThat(rest.after(4, Optional.of(Duration.ZERO))).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void rests_are_spread() {
    assertThat(new RetryPause(() -> 0.0).after(6, Optional.empty()))
        .isEqualTo(Duration.ofMinutes(48));
    assertThat(new RetryPause(() -> 1.0).after(6, Optional.empty()))
        .isEqualTo(Duration.ofMinutes(72));
  }
}
