package dev.millrace.engine.lane;

import dev.millrace.engine.port.Store;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs commands of one kind in the batches in which they happen to gather. Callers block until
 * their own command is answered; blocking is cheap on virtual threads.
 *
 * <p>Lanes that lock the same rows take turns. So one waits for the other here, where more can
 * gather meanwhile, and not in the database with a batch that can no longer grow.
 *
 * <p>What is left to do after a commit, such as waking others and writing the log, is nobody's turn
 * any more. If more is waiting, another thread does it and answers, so that the next batch begins
 * at once; a command that came alone is answered where it ran.
 */
public final class Lane<C, R> implements AutoCloseable {

  /** A slow teller slows its lane down, so that no more piles up here than in the queue. */
  private static final int MOST_UNTOLD = 2;

  /** How long a caller waits; a queue that is full and slow is worked off by then. */
  private static final Duration ANSWER = Duration.ofMinutes(5);

  /** How long closing waits for those who are still to be answered. */
  private static final Duration CLOSING = Duration.ofSeconds(10);

  /** The longest that closing takes: once for the commands, once for their answers. */
  public static final Duration MOST_CLOSING = CLOSING.multipliedBy(2);

  /**
   * What a lane is at.
   *
   * @param number tells one batch from the next; the same number later means that it still runs, or
   *     that still none has begun though commands wait. Negative if there is nothing to do
   * @param done how many commands were done so far
   * @param putOff how many wait for what somebody else holds
   */
  public record Standing(String lane, long number, long done, int putOff) {}

  private final String name;
  private final BatchShare batchShare;
  private final int maxWaiting;
  private final Lock turn;
  private final Thread runner;
  private final ExecutorService teller;

  /** Room for batches that the teller has yet to answer; while there are any, it answers all. */
  private final Semaphore untold = new Semaphore(MOST_UNTOLD);

  /** Guards the four fields below, so that a command is either refused or certainly answered. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition news = lock.newCondition();
  private final Queue<WaitingCommand<C, R>> queue = new ArrayDeque<>();
  private boolean closed;

  /** How many batches have begun and ended, so that others see whether it goes on. */
  private long steps;

  private boolean running;

  /** What has to wait for somebody, while the others go on; of the lane's thread. */
  private final DelayedCommands<WaitingCommand<C, R>> putOff;

  private final CommandBatches<C, R> batches;

  /**
   * Opens the lane.
   *
   * @param batchShare all who are in this lane and the others, of whom a batch takes a share
   * @param maxWaiting the most commands that may wait; one more is refused
   * @param turn held while a batch gathers and runs; it should be fair
   */
  public Lane(
      String name, BatchShare batchShare, int maxWaiting, Lock turn, BatchHandler<C, R> handler) {
    if (maxWaiting < 1) {
      throw new IllegalArgumentException("a lane has room for one command at least");
    }
    this.name = name;
    this.batchShare = batchShare;
    this.maxWaiting = maxWaiting;
    this.putOff = new DelayedCommands<>(this::wake, maxWaiting);
    this.batches = new CommandBatches<>(handler, putOff, this::tell, this::isClosed);
    this.turn = turn;
    this.teller =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("lane-" + name + "-teller").daemon().factory());
    this.runner = Thread.ofPlatform().name("lane-" + name).daemon().start(this::run);
  }

  /**
   * Hands the command in and waits for its answer. A caller that is interrupted stops waiting, but
   * its command runs all the same.
   *
   * @throws LaneFull if too many are waiting already, or the lane is closing
   * @throws Store.Busy if somebody else holds what it needs for longer than it may wait
   */
  public R call(C command) throws InterruptedException {
    WaitingCommand<C, R> waiting = new WaitingCommand<>(command);
    batchShare.come();
    try {
      enqueue(waiting);
      return waiting.answer().get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new Store.OutcomeUnknown("it takes too long, and may still happen", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        cause.addSuppressed(new IllegalStateException("called from here"));
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      batchShare.leave();
    }
  }

  private void enqueue(WaitingCommand<C, R> waiting) {
    lock.lock();
    try {
      if (closed || queue.size() >= maxWaiting) {
        throw new LaneFull();
      }
      queue.add(waiting);
      news.signal();
    } finally {
      lock.unlock();
    }
  }

  private void wake() {
    lock.lock();
    try {
      news.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Where the lane is now. */
  public Standing standing() {
    lock.lock();
    try {
      return new Standing(
          name, running || !queue.isEmpty() ? steps : -1, batches.done(), putOff.size());
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (awaitNews()) {
      Runnable answers;
      turn.lock();
      try {
        answers = batches.handle(gather());
      } finally {
        turn.unlock();
      }
      ended();
      tell(answers);
    }
    teller.shutdown();
  }

  private void ended() {
    lock.lock();
    try {
      steps++;
      running = false;
    } finally {
      lock.unlock();
    }
  }

  private void tell(Runnable answers) {
    if (untold.availablePermits() == MOST_UNTOLD && !waiting()) {
      answers.run();
      return;
    }
    untold.acquireUninterruptibly();
    try {
      teller.execute(() -> {
        try {
          answers.run();
        } finally {
          untold.release();
        }
      });
    } catch (RuntimeException | Error _) {
      // The system has no thread to give. This one must live, and so must those who wait.
      untold.release();
      answers.run();
    }
  }

  private boolean waiting() {
    lock.lock();
    try {
      return !queue.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** True as soon as there is anything to do; false once the lane is closed and empty. */
  private boolean awaitNews() {
    lock.lock();
    try {
      while (queue.isEmpty() && !closed && !putOff.due()) {
        news.awaitUninterruptibly();
      }
      return !queue.isEmpty() || !putOff.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private List<WaitingCommand<C, R>> gather() {
    lock.lock();
    try {
      steps++;
      running = true;
      int share = batchShare.share();
      List<WaitingCommand<C, R>> batch =
          putOff.due() || closed ? putOff.take(share) : new ArrayList<>();
      while (batch.size() < share && !queue.isEmpty()) {
        batch.add(queue.remove());
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Refuses what comes, answers what is waiting, then stops. Closing twice does no harm. A store
   * that is frozen can't keep it: whoever has not begun by then is told that nothing happened.
   */
  @Override
  public void close() {
    shut();
    try {
      if (!runner.join(CLOSING)) {
        giveUp();
        return;
      }
      teller.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // Whoever hurries needn't wait; everybody is answered all the same.
      Thread.currentThread().interrupt();
    }
  }

  /** Refuses what comes, and lets what is waiting be answered meanwhile. */
  public void shut() {
    lock.lock();
    try {
      closed = true;
      news.signal();
    } finally {
      lock.unlock();
    }
  }

  private void giveUp() {
    List<WaitingCommand<C, R>> left = new ArrayList<>();
    lock.lock();
    try {
      left.addAll(queue);
      queue.clear();
    } finally {
      lock.unlock();
    }
    CommandBatches.failing(left, () -> new Store.Unavailable("the lane was closed", new LaneFull()))
        .run();
  }
}
