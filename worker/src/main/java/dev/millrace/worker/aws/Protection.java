package dev.millrace.worker.aws;

import dev.millrace.worker.http.Backoff;
import dev.millrace.worker.log.WorkerLog;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the scale-in protection as the worker's work wants it: on while it is busy, off while it is
 * idle. A thread of its own does it, so that no job ever waits for AWS; what it missed it makes
 * good. Protection goes on at once and off a little later, because the next job may come at once.
 */
public final class Protection implements AutoCloseable {

  private final ScaleIn group;
  private final long settleNanos;
  private final WorkerLog log;
  private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60));
  private final Thread thread;

  private boolean wanted;
  private long changed = System.nanoTime();
  private @Nullable Boolean actual;
  private boolean closing;

  public Protection(ScaleIn group, Duration settle, WorkerLog log) {
    this.group = group;
    this.settleNanos = settle.toNanos();
    this.log = log;
    thread = Thread.ofVirtual().name("scale-in-protection").start(this::keep);
  }

  /** How many jobs run now. */
  public synchronized void running(int count) {
    if (wanted != count > 0) {
      wanted = count > 0;
      changed = System.nanoTime();
      notifyAll();
    }
  }

  /** Takes the protection off, and waits a moment for that. */
  @Override
  public void close() {
    synchronized (this) {
      wanted = false;
      closing = true;
      notifyAll();
    }
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
    group.close();
  }

  private void keep() {
    try {
      while (awaitChange()) {
        boolean on;
        synchronized (this) {
          on = wanted;
        }
        try {
          group.protect(on);
          backoff.reset();
          log.info("scale_in.protection", "on", on);
          synchronized (this) {
            actual = on;
          }
        } catch (RuntimeException e) {
          // The SDK has many, and each only means that it must be tried again.
          log.warn("scale_in.failed", "reason", e);
          synchronized (this) {
            if (closing) {
              return;
            }
          }
          Thread.sleep(backoff.next());
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /** False once all is as it should be and nothing will change any more. */
  private synchronized boolean awaitChange() throws InterruptedException {
    while (true) {
      boolean settled = actual != null && actual == wanted;
      if (settled && closing) {
        return false;
      }
      long wait =
          wanted || closing || actual == null ? 0 : changed + settleNanos - System.nanoTime();
      if (!settled && wait <= 0) {
        return true;
      }
      if (settled) {
        wait();
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, wait));
      }
    }
  }
}
