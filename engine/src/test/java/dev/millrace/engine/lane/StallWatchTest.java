package dev.millrace.engine.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A lane stands still if it is at the same number for longer than the bound. */
class StallWatchTest {

  private final List<Lane.Standing> lanes = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong(1_000);
  private final StallWatch watch =
      new StallWatch(() -> lanes, Duration.ofNanos(10), Duration.ofDays(1), nanos::get);

  private List<String> at(long time, long number) {
    nanos.set(time);
    lanes.clear();
    lanes.add(new Lane.Standing("submit", number, 0, 0));
    return watch.stalled();
  }

  @Test
  void it_stalls_when_the_bound_is_passed_and_no_sooner() {
    assertThat(at(1_000, 7)).isEmpty();
    assertThat(at(1_010, 7)).isEmpty();
    assertThat(at(1_011, 7)).containsExactly("submit");
  }

  @Test
  void one_that_goes_on_does_not_stall_however_long_it_is_watched() {
    assertThat(at(1_000, 7)).isEmpty();
    assertThat(at(1_020, 8)).isEmpty();
    assertThat(at(1_029, 8)).isEmpty();
    assertThat(at(1_031, 8)).containsExactly("submit");
  }

  @Test
  void the_first_step_can_stall_and_one_that_has_nothing_to_do_can_not() {
    assertThat(at(1_000, 0)).isEmpty();
    assertThat(at(1_011, 0)).containsExactly("submit");
    assertThat(at(1_012, -1)).isEmpty();
    assertThat(at(1_099, -1)).isEmpty();
  }
}
