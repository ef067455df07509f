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
    return look(watch, time, new Lane.Standing("submit", number, 0, 0));
  }

  private List<String> look(StallWatch by, long time, Lane.Standing lane) {
    nanos.set(time);
    lanes.clear();
    lanes.add(lane);
    return by.stalled();
  }

  /** Looks at a lane that has nothing to do but for what was put off. */
  private final class PutOff {
    private final StallWatch watch =
        new StallWatch(() -> lanes, Duration.ofDays(1), Duration.ofNanos(20), nanos::get);

    List<String> at(long time, long done, int putOff) {
      return look(watch, time, new Lane.Standing("submit", -1, done, putOff));
    }
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

  @Test
  void nothing_may_be_done_for_as_long_as_the_bound_while_several_wait_for_somebody() {
    PutOff lane = new PutOff();
    assertThat(lane.at(1_000, 0, 2)).isEmpty();
    assertThat(lane.at(1_020, 0, 2)).isEmpty();
    assertThat(lane.at(1_021, 0, 2)).containsExactly("submit");
    assertThat(lane.at(1_022, 1, 2)).as("something was done").isEmpty();
  }

  @Test
  void those_who_gave_up_and_come_again_have_waited_all_the_time() {
    PutOff lane = new PutOff();
    assertThat(lane.at(1_000, 0, 2)).isEmpty();
    assertThat(lane.at(1_005, 0, 0)).isEmpty();
    assertThat(lane.at(1_020, 0, 0)).isEmpty();
    assertThat(lane.at(1_021, 0, 2)).containsExactly("submit");
  }

  @Test
  void those_who_come_long_after_or_after_something_was_done_are_others() {
    PutOff late = new PutOff();
    assertThat(late.at(1_000, 0, 2)).isEmpty();
    assertThat(late.at(1_021, 0, 0)).isEmpty();
    assertThat(late.at(1_022, 0, 2)).isEmpty();
    PutOff served = new PutOff();
    assertThat(served.at(1_000, 0, 2)).isEmpty();
    assertThat(served.at(1_010, 1, 0)).isEmpty();
    assertThat(served.at(1_029, 1, 0)).isEmpty();
    assertThat(served.at(1_031, 1, 2)).isEmpty();
  }
}
