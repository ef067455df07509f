package dev.millrace.worker.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** That the worker must end, why, and until when its jobs may go on. */
final class Drain {

  private static final Duration STEP = Duration.ofMillis(200);

  private @Nullable Why why;
  private long until;
  private @Nullable Thread poller;

  /** From now on a drain interrupts the calling thread. */
  synchronized void guard() {
    poller = Thread.currentThread();
    if (why != null) {
      poller.interrupt();
    }
  }

  @SuppressWarnings("ThreadInterruptedIgnored") // The drain itself remembers it.
  synchronized void release() {
    poller = null;
    Thread.interrupted();
  }

  synchronized void begin(Why reason, Duration grace) {
    long end = System.nanoTime() + grace.toNanos();
    if (why == null || end - until < 0) {
      why = reason;
      until = end;
    }
    if (poller != null) {
      poller.interrupt();
      poller = null;
    }
    notifyAll();
  }

  synchronized Why why() {
    return why == null ? Why.SHUTDOWN : why;
  }

  synchronized boolean isOver() {
    return why == null || System.nanoTime() - until >= 0;
  }

  /** Waits a little while for the runs to end; the grace may become shorter meanwhile. */
  void awaitOver(Runs runs) throws InterruptedException {
    long left;
    synchronized (this) {
      left = until - System.nanoTime();
    }
    Duration wait = Duration.ofNanos(Math.clamp(left, 1_000_000, STEP.toNanos()));
    runs.awaitNone(wait);
  }
}
