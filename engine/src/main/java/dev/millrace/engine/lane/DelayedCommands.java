package dev.millrace.engine.lane;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The commands of one lane that need what somebody else holds, and when to try them again. Only the
 * lane's own thread asks here; the timers set flags and wake it.
 */
final class DelayedCommands<W> {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final int MOST_DOUBLINGS = 5;

  /**
   * Standing in line keeps the whole lane waiting, so it is done seldom; but it must be done: who
   * only ever looks may always find the row in the hands of another node that is busy too.
   */
  private static final Duration LINE_PAUSE = Duration.ofSeconds(2);

  private final Runnable wake;
  private final int most;
  private final Queue<W> waiting = new ArrayDeque<>();
  private int fruitless;

  /** How many have not had their try in this round. */
  private int left;

  private volatile int size;
  private volatile boolean timed;
  private volatile boolean due;
  private volatile boolean lineClosed;

  /**
   * Nothing is put off yet.
   *
   * @param wake wakes the lane's thread
   * @param most how many may wait here
   */
  DelayedCommands(Runnable wake, int most) {
    this.wake = wake;
    this.most = most;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** How many wait; anybody may ask. */
  int size() {
    return size;
  }

  boolean isFull() {
    return waiting.size() >= most;
  }

  void add(W command) {
    waiting.add(command);
    size = waiting.size();
    setTimer();
  }

  private void setTimer() {
    if (!timed && !waiting.isEmpty()) {
      timed = true;
      int doublings = Math.min(fruitless++, MOST_DOUBLINGS);
      after(
          FIRST_PAUSE.multipliedBy(1L << doublings),
          () -> {
            timed = false;
            due = true;
          });
    }
  }

  /** Something that was put off has been done, so more may be possible. */
  void fruitful() {
    fruitless = 0;
  }

  /** Whether it is time to try again. */
  boolean due() {
    return due && !waiting.isEmpty();
  }

  /**
   * Those that have waited longest. A round ends when all who waited at its beginning have had
   * their try, whether or not they are back.
   */
  List<W> take(int share) {
    if (left == 0) {
      left = waiting.size();
    }
    List<W> taken = new ArrayList<>();
    while (taken.size() < share && left > 0) {
      taken.add(waiting.remove());
      left--;
    }
    size = waiting.size();
    if (left == 0) {
      due = false;
      setTimer();
    }
    return taken;
  }

  /** Whether it is time to stand in line for an instant; if so, it won't be for a while. */
  boolean mayStandInLine() {
    if (lineClosed) {
      return false;
    }
    lineClosed = true;
    after(LINE_PAUSE, () -> lineClosed = false);
    return true;
  }

  void after(Duration pause, Runnable then) {
    CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, Runnable::run)
        .execute(() -> {
          then.run();
          wake.run();
        });
  }
}
