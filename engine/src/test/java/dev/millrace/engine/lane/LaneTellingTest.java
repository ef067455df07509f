package dev.millrace.engine.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens between a commit and its answers. */
@Timeout(30)
class LaneTellingTest {

  /** A lane whose handler and whose answers to the word "slow" stand at a gate each. */
  private static final class SlowTelling implements AutoCloseable {
    final CountDownLatch commit = new CountDownLatch(1);
    final CountDownLatch answer = new CountDownLatch(1);
    final Semaphore committing = new Semaphore(0);
    final Semaphore committed = new Semaphore(0);
    final Lane<String, String> lane;

    SlowTelling(Lock turn) {
      this.lane = new Lane<>("slow", new BatchShare(10), 10, turn, this::handle);
    }

    private Supplier<List<String>> handle(List<String> words) {
      boolean slow = words.contains("slow");
      committing.release();
      if (slow) {
        pass(commit);
      }
      committed.release();
      return () -> {
        if (slow) {
          pass(answer);
        }
        return words;
      };
    }

    private static void pass(CountDownLatch gate) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    Future<String> callLater(String word) {
      return LaneTellingTest.callLater(lane, word);
    }

    @Override
    public void close() {
      commit.countDown();
      answer.countDown();
      lane.close();
    }
  }

  /** Calls, and returns when the caller waits for its answer. */
  private static Future<String> callLater(Lane<String, String> lane, String word) {
    FutureTask<String> task = new FutureTask<>(() -> lane.call(word));
    Thread caller = Thread.ofPlatform().daemon().start(task);
    GatedLane.awaitCall(caller, task);
    return task;
  }

  @Test
  void the_next_batch_runs_while_the_last_is_told_and_is_answered_after_it() throws Exception {
    try (SlowTelling slow = new SlowTelling(new ReentrantLock())) {
      Future<String> first = slow.callLater("slow");
      slow.committing.acquire();
      Future<String> second = slow.callLater("next");
      slow.commit.countDown();
      slow.committed.acquire(2);
      assertThat(first.isDone()).isFalse();
      assertThat(second.isDone()).isFalse();
      slow.answer.countDown();
      assertThat(second.get()).isEqualTo("next");
      assertThat(first.get()).isEqualTo("slow");
    }
  }

  @Test
  void no_more_than_two_batches_wait_to_be_told_before_the_lane_waits_too() throws Exception {
    try (SlowTelling slow = new SlowTelling(new ReentrantLock())) {
      List<Future<String>> calls = new ArrayList<>(List.of(slow.callLater("slow")));
      slow.committing.acquire();
      calls.add(slow.callLater("second"));
      slow.commit.countDown();
      slow.committed.acquire(2);
      calls.add(slow.callLater("third"));
      slow.committed.acquire();
      awaitRoom("lane-slow");
      calls.add(slow.callLater("fourth"));
      assertThat(slow.committed.availablePermits()).as("batches after the third").isZero();
      slow.answer.countDown();
      for (Future<String> call : calls) {
        assertThat(call.get()).isNotBlank();
      }
    }
  }

  /** Returns when the lane's thread waits for a semaphore. */
  private static void awaitRoom(String lane) {
    while (Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(lane))
        .map(LockSupport::getBlocker)
        .noneMatch(on -> on != null && on.getClass().getName().contains("Semaphore"))) {
      Thread.onSpinWait();
    }
  }

  @Test
  void a_turn_is_over_before_its_answers_are_told() throws Exception {
    ReentrantLock turn = new ReentrantLock(true);
    try (SlowTelling slow = new SlowTelling(turn);
        SlowTelling other = new SlowTelling(turn)) {
      Future<String> first = slow.callLater("slow");
      slow.commit.countDown();
      slow.committed.acquire();
      assertThat(other.lane.call("other")).isEqualTo("other");
      assertThat(first.isDone()).isFalse();
      slow.answer.countDown();
      assertThat(first.get()).isEqualTo("slow");
    }
  }

  @Test
  void closing_waits_until_everything_is_told() throws Exception {
    Future<String> first;
    Future<String> second;
    try (SlowTelling slow = new SlowTelling(new ReentrantLock())) {
      first = slow.callLater("slow");
      slow.committing.acquire();
      second = slow.callLater("next");
    }
    assertThat(first.get()).isEqualTo("slow");
    assertThat(second.get()).isEqualTo("next");
  }

  @Test
  void whoever_closes_in_a_hurry_leaves_nobody_without_an_answer() throws Exception {
    try (SlowTelling slow = new SlowTelling(new ReentrantLock())) {
      Future<String> first = slow.callLater("slow");
      slow.committing.acquire();
      Future<String> second = slow.callLater("next");
      Thread.currentThread().interrupt();
      slow.lane.close();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(first.isDone()).isFalse();
      slow.commit.countDown();
      slow.answer.countDown();
      assertThat(first.get()).isEqualTo("slow");
      assertThat(second.get()).isEqualTo("next");
    }
  }

  @Test
  void the_neighbours_of_a_bad_command_are_answered_as_soon_as_each_is_committed()
      throws Exception {
    CountDownLatch begin = new CountDownLatch(1);
    CountDownLatch last = new CountDownLatch(1);
    try (Lane<String, String> lane =
        new Lane<>(
            "bad",
            new BatchShare(10),
            10,
            new ReentrantLock(),
            words -> {
              if (words.equals(List.of("first"))) {
                SlowTelling.pass(begin);
              } else if (words.size() > 1) {
                throw new IllegalStateException("one of them is bad");
              } else if (words.equals(List.of("last"))) {
                SlowTelling.pass(last);
              }
              return () -> words;
            })) {
      Future<String> first = callLater(lane, "first");
      Future<String> neighbour = callLater(lane, "neighbour");
      Future<String> slowest = callLater(lane, "last");
      begin.countDown();
      assertThat(first.get()).isEqualTo("first");
      assertThat(neighbour.get()).isEqualTo("neighbour");
      assertThat(slowest.isDone()).isFalse();
      last.countDown();
      assertThat(slowest.get()).isEqualTo("last");
    }
  }
}
