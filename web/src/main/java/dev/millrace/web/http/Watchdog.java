package dev.millrace.web.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Cuts connections that take too long. The web server reads and writes without timeouts, so the
 * thread that waits for a client is interrupted instead; on a channel that closes the connection.
 *
 * <p>Every request has several limits, and hardly any is ever reached. So they have no timer each:
 * all of them are looked at every now and then.
 */
public final class Watchdog {
  private static final long LOOK_MILLIS = 50;

  private final Set<Guard> guards = ConcurrentHashMap.newKeySet();
  private final Duration patience;

  private Watchdog(Duration patience) {
    this.patience = patience;
  }

  public static ScheduledThreadPoolExecutor clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("http-watchdog").factory());
    // A server that is closed again finds the clock stopped, and needs it no longer.
    clock.setRejectedExecutionHandler((_, _) -> {});
    return clock;
  }

  public static Watchdog of(ScheduledThreadPoolExecutor clock, Duration patience) {
    Watchdog watchdog = new Watchdog(patience);
    var _ =
        clock.scheduleWithFixedDelay(
            watchdog::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    return watchdog;
  }

  /**
   * Whoever was bitten is forgotten: a client that hangs up before its headers are complete leaves
   * a guard that nobody closes.
   */
  private void look() {
    long now = System.nanoTime();
    guards.removeIf(guard -> guard.biteAfter(now));
  }

  /** How many are watched. */
  public int watched() {
    return guards.size();
  }

  /** Watches the current thread until the guard is closed. */
  public Guard guard() {
    return guard(patience);
  }

  public Guard guard(Duration time) {
    Guard guard = new Guard(System.nanoTime() + time.toNanos());
    guards.add(guard);
    return guard;
  }

  public final class Guard implements AutoCloseable {
    private final Thread thread = Thread.currentThread();
    private final long deadline;
    private boolean closed;
    private boolean bitten;

    private Guard(long deadline) {
      this.deadline = deadline;
    }

    /** True if its time was over by then. */
    private boolean biteAfter(long now) {
      boolean late = now - deadline >= 0;
      if (late) {
        bite();
      }
      return late;
    }

    private synchronized void bite() {
      if (!closed && !bitten) {
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
      guards.remove(this);
      synchronized (this) {
        closed = true;
        if (bitten) {
          Thread.interrupted();
        }
      }
    }
  }
}
