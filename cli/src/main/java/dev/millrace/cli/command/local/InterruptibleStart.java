package dev.millrace.cli.command.local;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** A start on a thread of its own, which others may interrupt without disturbing its caller. */
final class InterruptibleStart<T> {

  private final FutureTask<T> task;
  private final Thread thread;

  InterruptibleStart(Supplier<T> start) {
    this.task = new FutureTask<>(start::get);
    this.thread = Thread.ofVirtual().name("start").start(task);
  }

  Thread thread() {
    return thread;
  }

  /** Waits for its end, and throws what it has thrown. */
  T await() throws InterruptedException {
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
