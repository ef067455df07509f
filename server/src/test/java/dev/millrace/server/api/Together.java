package dev.millrace.server.api;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Does the same thing many times at once. */
final class Together {

  private Together() {}

  static <T> List<T> times(int count, IntFunction<T> action)
      throws InterruptedException, ExecutionException {
    CountDownLatch start = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        running.add(
            threads.submit(() -> {
              start.await();
              return action.apply(number);
            }));
      }
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> result : running) {
        results.add(result.get());
      }
      return results;
    }
  }
}
