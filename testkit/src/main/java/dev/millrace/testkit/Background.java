package dev.millrace.testkit;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Runs one thing beside the test. Each gets a thread of its own, because the pool that {@code
 * CompletableFuture} shares has a single thread on two cores: whoever blocks it stops all others.
 */
public final class Background {
  private Background() {}

  public static <T> CompletableFuture<T> call(Callable<T> work) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            answer.complete(work.call());
          } catch (Throwable e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  public static CompletableFuture<Void> run(Runnable work) {
    return call(() -> {
      work.run();
      return null;
    });
  }
}
