package dev.millrace.engine.lane;

import dev.millrace.engine.port.Store;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs commands of one kind in the batches in which they happen to gather. Callers block until
 * their own command is answered; blocking is cheap on virtual threads.
 *
 * <p>Lanes that lock the same rows take turns. So one waits for the other here, where more can
 * gather meanwhile, and not in the database with a batch that can no longer grow.
 *
 * <p>What is left to do after a commit, such as waking others and writing the log, is nobody's turn
 * any more. If more is waiting, another thread does it and answers, so that the next batch begins
 * at once; a lonely command is answered where it ran.
 */
public final class Lane<C, R> implements AutoCloseable {

  /** A slow teller slows its lane down, so that no more piles up here than in the queue. */
  private static final int MOST_UNTOLD = 2;

  private record Waiting<C, R>(C command, CompletableFuture<R> answer) {}

  private final Crowd crowd;
  private final int maxWaiting;
  private final Lock turn;
  private final Function<List<C>, Supplier<List<R>>> handler;
  private final Thread runner;
  private final ExecutorService teller;

  /** Room for batches that the teller has yet to answer; while there are any, it answers all. */
  private final Semaphore untold = new Semaphore(MOST_UNTOLD);

  /** Guards the two fields below, so that a command is either refused or certainly answered. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition news = lock.newCondition();
  private final Queue<Waiting<C, R>> queue = new ArrayDeque<>();
  private boolean closed;

  /**
   * Opens the lane.
   *
   * @param crowd all who are in this lane and its neighbours, of whom a batch takes a share
   * @param maxWaiting the most commands that may wait; one more is refused
   * @param turn held while a batch gathers and runs; it should be fair
   * @param handler runs a batch in one transaction; if it throws anything but {@link
   *     Store.OutcomeUnknown}, nothing of the batch happened. What it returns is asked once, when
   *     the turn is over, and has the answers to the commands, in order
   */
  public Lane(
      String name,
      Crowd crowd,
      int maxWaiting,
      Lock turn,
      Function<List<C>, Supplier<List<R>>> handler) {
    if (maxWaiting < 1) {
      throw new IllegalArgumentException("a lane has room for one command at least");
    }
    this.crowd = crowd;
    this.maxWaiting = maxWaiting;
    this.turn = turn;
    this.handler = handler;
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
   */
  public R call(C command) throws InterruptedException {
    CompletableFuture<R> answer = new CompletableFuture<>();
    crowd.come();
    try {
      enqueue(new Waiting<>(command, answer));
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        cause.addSuppressed(new IllegalStateException("called from here"));
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      crowd.leave();
    }
  }

  private void enqueue(Waiting<C, R> waiting) {
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

  private void run() {
    while (awaitNews()) {
      Runnable answers;
      turn.lock();
      try {
        answers = handle(gather());
      } finally {
        turn.unlock();
      }
      tell(answers);
    }
    teller.shutdown();
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

  /** True as soon as anything is waiting; false once the lane is closed and empty. */
  private boolean awaitNews() {
    lock.lock();
    try {
      while (queue.isEmpty() && !closed) {
        news.awaitUninterruptibly();
      }
      return !queue.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private List<Waiting<C, R>> gather() {
    lock.lock();
    try {
      int share = crowd.share();
      List<Waiting<C, R>> batch = new ArrayList<>(Math.min(queue.size(), share));
      while (batch.size() < share && !queue.isEmpty()) {
        batch.add(queue.remove());
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs a batch, and returns how to answer it. Whatever is thrown must reach the callers, because
   * they wait without a limit.
   */
  private Runnable handle(List<Waiting<C, R>> batch) {
    try {
      Supplier<List<R>> done = handler.apply(batch.stream().map(Waiting::command).toList());
      return () -> answer(batch, done);
    } catch (Store.OutcomeUnknown e) {
      // Running it again could do it twice; each caller has its own way to find out.
      return failing(batch, () -> new Store.OutcomeUnknown("it may or may not have happened", e));
    } catch (Store.Unavailable e) {
      // Trying each by itself would make everybody wait for one time-out after the other.
      return failing(batch, () -> new Store.Unavailable("the store can't be reached", e));
    } catch (Throwable e) {
      if (batch.size() == 1) {
        return failing(batch, () -> e);
      }
      // Nothing of the batch happened. One bad command must not fail its neighbours, nor keep them
      // waiting for the last of them.
      batch.forEach(waiting -> tell(handle(List.of(waiting))));
      return () -> {};
    }
  }

  private static <C, R> Runnable failing(List<Waiting<C, R>> batch, Supplier<Throwable> trouble) {
    return () -> batch.forEach(waiting -> fail(waiting, trouble.get()));
  }

  private static <C, R> void answer(List<Waiting<C, R>> batch, Supplier<List<R>> done) {
    List<R> results;
    try {
      results = done.get();
    } catch (Throwable e) {
      batch.forEach(waiting -> fail(waiting, e));
      return;
    }
    if (results.size() != batch.size()) {
      // It is committed, so it must not run again; nobody knows which answer is whose.
      String trouble = "%d answers to %d commands".formatted(results.size(), batch.size());
      batch.forEach(waiting -> fail(waiting, new IllegalStateException(trouble)));
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).answer().complete(results.get(i));
    }
  }

  private static <C, R> void fail(Waiting<C, R> waiting, Throwable e) {
    waiting.answer().completeExceptionally(e);
  }

  /** Refuses what comes, answers what is waiting, then stops. Closing twice does no harm. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      news.signal();
    } finally {
      lock.unlock();
    }
    try {
      runner.join();
      teller.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Whoever hurries needn't wait; everybody is answered all the same.
      Thread.currentThread().interrupt();
    }
  }
}
