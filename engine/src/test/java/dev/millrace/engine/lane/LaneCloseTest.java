package dev.millrace.engine.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.port.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller is answered or refused; it never hangs, whenever the lane closes. */
@Timeout(30)
class LaneCloseTest {

  @Test
  void closing_answers_what_was_accepted_and_refuses_what_comes_later() throws Exception {
    GatedLane lane = new GatedLane(2, 10);
    lane.hold("a");
    List<Future<String>> accepted = lane.callLater("b", "c", "d");
    lane.close();
    assertThat(lane.batches()).containsExactly(List.of("a"), List.of("b", "c"), List.of("d"));
    assertThat(accepted.get(2).get()).isEqualTo("D");
    assertThatThrownBy(() -> lane.call("e")).isInstanceOf(LaneFull.class);
  }

  @Test
  void closing_again_and_again_does_no_harm_even_with_the_smallest_queue() throws Exception {
    GatedLane lane = new GatedLane(1, 1);
    lane.openForGood();
    assertThat(lane.call("a")).isEqualTo("A");
    for (int i = 0; i < 5; i++) {
      lane.close();
    }
    assertThatThrownBy(() -> lane.call("b")).isInstanceOf(LaneFull.class);
  }

  @Test
  void a_full_lane_can_be_closed() throws Exception {
    GatedLane lane = new GatedLane(1, 2);
    lane.hold("a");
    List<Future<String>> accepted = lane.callLater("b", "c");
    lane.close();
    assertThat(accepted.get(1).get()).isEqualTo("C");
  }

  @Test
  void a_closer_that_is_interrupted_still_closes_the_lane() throws Exception {
    GatedLane lane = new GatedLane(1, 1);
    lane.openForGood();
    Thread.currentThread().interrupt();
    lane.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThatThrownBy(() -> lane.call("a")).isInstanceOf(LaneFull.class);
    lane.close();
  }

  @Test
  void who_has_not_begun_in_a_store_that_is_frozen_is_told_that_nothing_happened()
      throws Exception {
    GatedLane lane = new GatedLane(1, 10);
    lane.hold("a");
    Future<String> waiting = lane.callLater("b").getFirst();
    lane.closeShut();
    assertThatThrownBy(waiting::get).hasCauseInstanceOf(Store.Unavailable.class);
    lane.openForGood();
    assertThat(lane.first()).isEqualTo("A");
    lane.close();
    assertThat(lane.batches()).containsExactly(List.of("a"));
  }

  @RepeatedTest(value = 20, failureThreshold = 1)
  void in_a_storm_of_calls_every_accepted_one_gets_its_own_answer_and_runs_once() throws Exception {
    Storm storm = new Storm(400, 25);
    List<Future<Integer>> strangers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int caller = 0; caller < storm.callers; caller++) {
        int first = caller * storm.callsEach;
        strangers.add(threads.submit(() -> storm.call(first)));
      }
      storm.halfWay.await();
      storm.lane.close();
      assertThatThrownBy(() -> storm.lane.call(0)).isInstanceOf(LaneFull.class);
    }
    for (Future<Integer> count : strangers) {
      assertThat(count.get()).as("answers to somebody else").isZero();
    }
    assertThat(storm.answered.get()).isEqualTo(storm.handled.get()).isPositive();
    assertThat(storm.answered.get() + storm.refused.get())
        .isEqualTo(storm.callers * storm.callsEach);
    assertThat(storm.largest.get()).isLessThanOrEqualTo(Storm.MAX_BATCH);
  }

  /** Many callers with numbers of their own; the right answer is the number's negative. */
  private static final class Storm {
    static final int MAX_BATCH = 16;

    final int callers;
    final int callsEach;
    final AtomicInteger handled = new AtomicInteger();
    final AtomicInteger largest = new AtomicInteger();
    final AtomicInteger answered = new AtomicInteger();
    final AtomicInteger refused = new AtomicInteger();
    final CountDownLatch halfWay;
    final Lane<Integer, Integer> lane;

    Storm(int callers, int callsEach) {
      this.callers = callers;
      this.callsEach = callsEach;
      this.halfWay = new CountDownLatch(callers);
      this.lane =
          new Lane<>(
              "storm", new BatchShare(MAX_BATCH), callers / 2, new ReentrantLock(), this::handle);
    }

    private Supplier<List<Integer>> handle(List<Integer> numbers) {
      handled.addAndGet(numbers.size());
      largest.accumulateAndGet(numbers.size(), Math::max);
      return () -> numbers.stream().map(number -> -number).toList();
    }

    int call(int first) throws InterruptedException {
      int strangers = 0;
      for (int number = first; number < first + callsEach; number++) {
        try {
          strangers += lane.call(number) == -number ? 0 : 1;
          answered.incrementAndGet();
        } catch (LaneFull e) {
          refused.incrementAndGet();
        }
        if (number == first + callsEach / 2) {
          halfWay.countDown();
        }
      }
      return strangers;
    }
  }
}
