package dev.millrace.service.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which senders are too slow to be waited for. */
class PaceTest {

  private static final Pace.Least LEAST = new Pace.Least(Duration.ofSeconds(20), 1_000);

  private long now = 1;
  private final Pace pace = new Pace(LEAST, () -> now);

  private void pass(double seconds) {
    now += (long) (seconds * 1e9);
  }

  private void come(double after, int bytes) {
    pace.waits();
    pass(after);
    pace.comes(bytes);
  }

  @Test
  void a_byte_a_second_is_too_slow_once_the_first_stretch_has_passed() {
    for (int second = 1; second < 20; second++) {
      come(1, 1);
      assertThat(pace.tooSlow()).isFalse();
    }
    come(1, 1);
    assertThat(pace.tooSlow()).isTrue();
  }

  @Test
  void silence_is_too_slow_although_nothing_comes_that_could_be_counted() {
    pace.waits();
    pass(19);
    assertThat(pace.tooSlow()).isFalse();
    pass(1);
    assertThat(pace.tooSlow()).isTrue();
  }

  @Test
  void what_came_quickly_at_first_must_go_on_coming() {
    come(1, 1_000_000);
    come(19, 1);
    assertThat(pace.tooSlow()).isFalse();
    come(20, 1);
    assertThat(pace.tooSlow()).isTrue();
    come(1, 1_000_000);
    assertThat(pace.tooSlow()).as("once is enough").isTrue();
  }

  @Test
  void a_large_file_at_the_least_rate_comes_to_its_end() {
    for (int second = 0; second < 3_600; second++) {
      come(1, 1_000);
      assertThat(pace.tooSlow()).isFalse();
    }
  }

  @Test
  void a_store_that_is_slow_to_take_it_says_nothing_about_its_sender() {
    for (int run = 0; run < 100; run++) {
      come(0.1, 100);
      pass(60);
      assertThat(pace.tooSlow()).isFalse();
    }
  }
}
