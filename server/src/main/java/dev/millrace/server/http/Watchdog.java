package dev.millrace.server.http;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cuts connections that take too long. The web server reads and writes without timeouts, so the
 * thread that waits for a client is interrupted instead; on a channel that closes the connection.
 */
final class Watchdog {
  private final ScheduledThreadPoolExecutor clock;
  private final Duration patience;

  private Watchdog(ScheduledThreadPoolExecutor clock, Duration patience) {
    this.clock = clock;
    this.patience = patience;
  }

  static ScheduledThreadPoolExecutor clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("http-watchdog").factory());
    clock.setRemoveOnCancelPolicy(true);
    // Requests that outlive the server's grace find the clock stopped, and need it no longer.
    clock.setRejectedExecutionHandler((_, _) -> {});
    return clock;
  }

  static Watchdog of(ScheduledThreadPoolExecutor clock, Duration patience) {
    return new Watchdog(clock, patience);
  }

  /** Watches the current thread until the guard is closed. */
  Guard guard() {
    return guard(patience);
  }

  Guard guard(Duration time) {
    Guard guard = new Guard(Thread.currentThread());
    guard.alarm = clock.schedule(guard::bite, Math.max(0, time.toNanos()), TimeUnit.NANOSECONDS);
    return guard;
  }

  static final class Guard implements AutoCloseable {
    private final Thread thread;
    private @Nullable Future<?> alarm;
    private boolean closed;
    private boolean bitten;

    private Guard(Thread thread) {
      this.thread = thread;
    }

    private synchronized void bite() {
      if (!closed) {
        bitten = true;
        thread.interrupt();
      }
    }

    /**
     * Afterwards the thread is never interrupted by this guard, and no interrupt is left over. Only
     * that thread calls it.
     */
    @Override
    public void close() {
      if (alarm != null) {
        alarm.cancel(false);
      }
      synchronized (this) {
        closed = true;
        if (bitten) {
          Thread.interrupted();
        }
      }
    }
  }
}
