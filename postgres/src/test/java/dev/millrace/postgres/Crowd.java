package dev.millrace.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/**
 * Many callers at once. Each has a thread of the system: a virtual one that waits for a class to be
 * initialized keeps its carrier, and on two cores two of them can wait for a third for ever.
 */
public final class Crowd {

  private Crowd() {}

  /** Starts all, waits for all, and answers in their order; the first failure is thrown. */
  public static <R> List<R> of(int callers, IntFunction<Callable<R>> task)
      throws InterruptedException, ExecutionException {
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
      List<Future<R>> futures = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        futures.add(threads.submit(task.apply(i)));
      }
      List<R> results = new ArrayList<>();
      for (Future<R> future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }
}
