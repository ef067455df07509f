package dev.millrace.postgres.embedded;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * A start that an interrupt of its caller cancels. It runs on a thread of its own, because an
 * interrupted thread can read no file and so would not find the processes that it has to stop.
 */
final class CancelableStart<T> {

  private static final Duration LOOK = Duration.ofSeconds(1);

  private final AtomicBoolean canceled = new AtomicBoolean();
  private final FutureTask<T> task;

  /**
   * A start that has not begun.
   *
   * @param start is told where to look whether it was canceled, and then ends soon
   */
  CancelableStart(Function<BooleanSupplier, T> start) {
    this.task = new FutureTask<>(() -> start.apply(canceled::get));
  }

  /** Waits for the end, also after an interrupt, and leaves the interrupt to the caller. */
  T run() {
    Thread.ofPlatform().name("postgres-start").daemon().start(task);
    try {
      while (true) {
        try {
          return task.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
          canceled.set(true);
        } catch (TimeoutException _) {
          // Recovery may take minutes; the start itself has a limit.
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      if (canceled.get()) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
