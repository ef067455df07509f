package dev.millrace.engine.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.port.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A command that needs what somebody else holds is put off, and nobody waits for it. */
@Timeout(60)
class LanePutOffTest {

  /** Each word needs the row of its first letter. */
  private static final class Rows implements BatchHandler<String, String> {
    final Set<Character> held = ConcurrentHashMap.newKeySet();
    final Set<String> done = ConcurrentHashMap.newKeySet();
    final AtomicInteger waits = new AtomicInteger();
    volatile boolean unskippable;

    @Override
    public Supplier<List<String>> run(List<String> words) {
      if (words.stream().anyMatch(this::isHeld)) {
        waits.incrementAndGet();
        throw new Store.Busy("held", new TimeoutException());
      }
      return perform(words);
    }

    private boolean isHeld(String word) {
      return held.contains(word.charAt(0));
    }

    private Supplier<List<String>> perform(List<String> words) {
      for (String word : words) {
        if (!done.add(word)) {
          throw new IllegalStateException("twice: " + word);
        }
      }
      return () -> words.stream().map(word -> word.toUpperCase(Locale.ROOT)).toList();
    }

    @Override
    public boolean skips() {
      return true;
    }

    @Override
    public Partly<String> runFree(List<String> words) {
      if (unskippable) {
        return new Partly<>(Set.of(), run(words));
      }
      Set<Integer> busy = new HashSet<>();
      List<String> free = new ArrayList<>();
      for (int i = 0; i < words.size(); i++) {
        if (isHeld(words.get(i))) {
          busy.add(i);
        } else {
          free.add(words.get(i));
        }
      }
      return new Partly<>(busy, perform(free));
    }
  }

  private final Rows rows = new Rows();
  private final Lane<String, String> lane =
      new Lane<>("test", new BatchShare(64), 100, new ReentrantLock(), rows);

  @AfterEach
  void close() {
    rows.held.clear();
    lane.close();
  }

  private Future<String> later(String word) {
    FutureTask<String> task = new FutureTask<>(() -> lane.call(word));
    GatedLane.awaitCall(Thread.ofPlatform().daemon().start(task), task);
    return task;
  }

  @Test
  void others_are_answered_while_one_waits_and_it_is_answered_once_its_row_is_free()
      throws Exception {
    rows.held.add('x');
    Future<String> stuck = later("x1");
    for (int i = 0; i < 100; i++) {
      assertThat(lane.call("a" + i)).isEqualTo("A" + i);
    }
    assertThat(stuck).isNotDone();
    rows.held.clear();
    assertThat(stuck.get()).isEqualTo("X1");
    assertThat(lane.call("b")).isEqualTo("B");
  }

  @Test
  void more_commands_for_the_held_row_make_nobody_wait_again() throws Exception {
    rows.held.add('x');
    List<Future<String>> stuck = new ArrayList<>(List.of(later("x0")));
    assertThat(lane.call("a")).isEqualTo("A");
    int before = rows.waits.get();
    for (int i = 1; i < 50; i++) {
      stuck.add(later("x" + i));
      assertThat(lane.call("b" + i)).isEqualTo("B" + i);
    }
    // Now and then it stands in line; far more seldom than commands come.
    assertThat(rows.waits.get() - before).isLessThan(25);
    rows.held.clear();
    for (int i = 0; i < 50; i++) {
      assertThat(stuck.get(i).get()).isEqualTo("X" + i);
    }
  }

  @Test
  void all_are_answered_though_they_are_more_than_one_batch_takes() throws Exception {
    rows.held.add('x');
    List<Future<String>> stuck = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      stuck.add(later("x" + i));
    }
    assertThat(lane.call("a")).isEqualTo("A");
    rows.held.clear();
    for (int i = 0; i < 60; i++) {
      assertThat(stuck.get(i).get()).isEqualTo("X" + i);
    }
  }

  @Test
  void what_can_not_be_skipped_is_found_by_halves() throws Exception {
    rows.unskippable = true;
    rows.held.add('x');
    Future<String> stuck = later("x1");
    for (int i = 0; i < 20; i++) {
      assertThat(lane.call("a" + i)).isEqualTo("A" + i);
    }
    rows.held.clear();
    assertThat(stuck.get()).isEqualTo("X1");
  }

  @Test
  void whoever_waits_for_too_long_is_told_that_nothing_happened() {
    rows.held.add('x');
    assertThatThrownBy(() -> lane.call("x")).isInstanceOf(Store.Busy.class);
    assertThat(rows.done).isEmpty();
  }

  @Test
  void a_lane_that_closes_tells_those_who_wait_for_somebody() throws Exception {
    rows.held.add('x');
    Future<String> stuck = later("x");
    assertThat(lane.call("a")).isEqualTo("A");
    lane.close();
    assertThatThrownBy(stuck::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(Store.Busy.class);
  }

  @Test
  void a_lane_stands_still_if_its_batch_runs_for_too_long() throws Exception {
    AtomicLong now = new AtomicLong();
    GatedLane gated = new GatedLane(8, 8);
    StallWatch watch =
        new StallWatch(
            () -> List.of(gated.standing()),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            now::get);
    assertThat(watch.stalled()).isEmpty();
    gated.hold("a");
    assertThat(watch.stalled()).isEmpty();
    now.addAndGet(Duration.ofSeconds(6).toNanos());
    assertThat(watch.stalled()).containsExactly("test");
    gated.close();
    assertThat(watch.stalled()).isEmpty();
  }

  @Test
  void a_lane_does_not_stand_still_because_some_are_put_off() throws Exception {
    rows.held.add('x');
    Future<String> stuck = later("x");
    while (lane.standing().number() >= 0) {
      Thread.onSpinWait();
    }
    assertThat(stuck).isNotDone();
  }

  private void awaitPutOff(int count) {
    while (lane.standing().putOff() != count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void a_lane_stands_still_if_several_are_put_off_and_nothing_is_done_for_too_long()
      throws Exception {
    AtomicLong now = new AtomicLong();
    StallWatch watch =
        new StallWatch(
            () -> List.of(lane.standing()),
            Duration.ofSeconds(15),
            Duration.ofSeconds(5),
            now::get);
    rows.held.addAll(Set.of('x', 'y'));
    Future<String> first = later("x");
    Future<String> second = later("y");
    awaitPutOff(2);
    assertThat(watch.stalled()).isEmpty();
    now.addAndGet(Duration.ofSeconds(4).toNanos());
    assertThat(lane.call("a")).isEqualTo("A");
    awaitPutOff(2);
    assertThat(watch.stalled()).isEmpty();
    now.addAndGet(Duration.ofSeconds(4).toNanos());
    awaitPutOff(2);
    assertThat(watch.stalled()).isEmpty();
    now.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(watch.stalled()).containsExactly("test");
    rows.held.clear();
    assertThat(first.get()).isEqualTo("X");
    assertThat(second.get()).isEqualTo("Y");
    assertThat(watch.stalled()).isEmpty();
  }

  @Test
  void once_the_store_is_away_nobody_of_a_failed_batch_is_tried_alone() throws Exception {
    AtomicInteger alone = new AtomicInteger();
    BatchHandler<String, String> broken =
        words -> {
          if (words.size() > 1) {
            throw new IllegalStateException("a bad command");
          }
          alone.incrementAndGet();
          throw new Store.Unavailable("away", new TimeoutException());
        };
    ReentrantLock turn = new ReentrantLock();
    turn.lock();
    List<Future<String>> calls = new ArrayList<>();
    try (Lane<String, String> other = new Lane<>("broken", new BatchShare(64), 100, turn, broken)) {
      for (int i = 0; i < 8; i++) {
        FutureTask<String> task = new FutureTask<>(() -> other.call("a"));
        GatedLane.awaitCall(Thread.ofPlatform().daemon().start(task), task);
        calls.add(task);
      }
      turn.unlock();
      for (Future<String> call : calls) {
        assertThatThrownBy(call::get).hasCauseInstanceOf(Store.Unavailable.class);
      }
    }
    assertThat(alone).hasValue(1);
  }
}
