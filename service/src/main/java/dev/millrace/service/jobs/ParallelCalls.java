package dev.millrace.service.jobs;

import dev.millrace.engine.port.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Does the same for many things, some of them at a time, each on a thread of its own. */
public final class ParallelCalls {

  /** Longer than any single call may take. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private ParallelCalls() {}

  /** What is done for one thing. */
  @FunctionalInterface
  public interface Step<T, R> {
    R take(T item) throws InterruptedException;
  }

  /**
   * The results in the order of the items. The first failure is thrown, once nothing runs any more.
   *
   * @param most how many may be under way at once
   */
  public static <T, R> List<R> map(List<T> items, int most, Step<T, R> step)
      throws InterruptedException {
    Semaphore room = new Semaphore(most);
    List<Future<R>> underWay = new ArrayList<>(items.size());
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      for (T item : items) {
        if (!room.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
          throw tooLong();
        }
        underWay.add(
            threads.submit(() -> {
              try {
                return step.take(item);
              } finally {
                room.release();
              }
            }));
      }
      threads.shutdown();
      if (!threads.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw tooLong();
      }
    } finally {
      threads.shutdownNow();
    }
    List<R> results = new ArrayList<>(items.size());
    for (Future<R> one : underWay) {
      results.add(result(one));
    }
    return results;
  }

  private static Store.OutcomeUnknown tooLong() {
    return new Store.OutcomeUnknown(
        "it takes too long, and may still happen", new TimeoutException());
  }

  private static <R> R result(Future<R> done) throws InterruptedException {
    if (done.state() == Future.State.SUCCESS) {
      return done.resultNow();
    }
    switch (done.exceptionNow()) {
      case InterruptedException interrupted -> throw interrupted;
      case RuntimeException trouble -> throw trouble;
      case Error error -> throw error;
      case Throwable other -> throw new IllegalStateException(other);
    }
  }
}
