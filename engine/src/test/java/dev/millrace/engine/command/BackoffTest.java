package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Timings.Backoff;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5));

  @ParameterizedTest
  @CsvSource({"1,2", "2,4", "3,8", "7,128", "8,256", "9,300", "31,300", "32,300", "64,300"})
  void the_bound_doubles_with_each_failure_up_to_the_cap(int failures, long seconds) {
    assertThat(BACKOFF.after(failures, 1)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource({"0,0", "0.25,2000", "0.5,4000", "1,8000", "-3,0", "7,8000", "NaN,0"})
  void the_jitter_takes_any_part_of_the_bound(double jitter, long millis) {
    assertThat(BACKOFF.after(3, jitter)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(ints = {30, 31, 32, 62, 63, 64, 65, 1_000, Integer.MAX_VALUE})
  void no_count_of_failures_overflows(int failures) {
    assertThat(BACKOFF.after(failures, 1)).isEqualTo(Duration.ofMinutes(5));
    Backoff slow = new Backoff(Duration.ofDays(365), Duration.ofDays(3_650));
    assertThat(slow.after(failures, 1)).isEqualTo(Duration.ofDays(3_650));
  }

  @Test
  void a_tiny_base_and_a_cap_below_the_base_are_bounds_too() {
    assertThat(new Backoff(Duration.ofMillis(1), Duration.ofDays(365)).after(1_000, 1))
        .isEqualTo(Duration.ofMillis(1L << 30));
    assertThat(new Backoff(Duration.ofHours(1), Duration.ofSeconds(1)).after(1, 1))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(new Backoff(Duration.ZERO, Duration.ofSeconds(1)).after(9, 1)).isZero();
  }
}
