package dev.millrace.engine.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for somebody is tried again in rounds, with longer pauses the longer nothing helps. */
@Timeout(30)
class DelayedCommandsTest {

  private final AtomicInteger wakes = new AtomicInteger();
  private final DelayedCommands<String> delayed = new DelayedCommands<>(wakes::incrementAndGet, 3);

  private void awaitDue() {
    while (!delayed.due()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void it_is_full_with_as_many_as_may_wait() {
    delayed.add("a");
    delayed.add("b");
    assertThat(delayed.isFull()).isFalse();
    delayed.add("c");
    assertThat(delayed.isFull()).isTrue();
  }

  @Test
  void no_more_are_taken_at_once_than_fit_into_a_batch_and_none_twice_in_a_round() {
    List.of("a", "b", "c").forEach(delayed::add);
    assertThat(delayed.take(2)).containsExactly("a", "b");
    delayed.add("a");
    assertThat(delayed.take(2)).containsExactly("c");
    assertThat(delayed.take(2)).containsExactly("a");
  }

  @Test
  void who_came_back_during_a_round_has_its_try_in_the_next_one() {
    delayed.add("a");
    delayed.add("b");
    awaitDue();
    assertThat(delayed.take(1)).containsExactly("a");
    int before = wakes.get();
    delayed.add("a");
    while (wakes.get() == before) {
      Thread.onSpinWait();
    }
    assertThat(delayed.take(1)).containsExactly("b");
    assertThat(delayed.due()).as("the round is over").isFalse();
    awaitDue();
    assertThat(delayed.take(1)).containsExactly("a");
  }

  @Test
  void each_pause_is_twice_as_long_as_the_one_before() {
    long from = System.nanoTime();
    for (int i = 0; i < 3; i++) {
      delayed.add("a");
      awaitDue();
      assertThat(delayed.take(1)).containsExactly("a");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - from))
        .isGreaterThan(Duration.ofMillis(20 + 40 + 80 - 5));
  }

  @Test
  void a_while_after_one_stood_in_line_another_may() {
    assertThat(delayed.mayStandInLine()).isTrue();
    assertThat(delayed.mayStandInLine()).isFalse();
    while (!delayed.mayStandInLine()) {
      Thread.onSpinWait();
    }
    assertThat(delayed.mayStandInLine()).isFalse();
  }
}
