package dev.millrace.worker.run;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tells one attempt to stop, once, by interrupting the thread that works on it. */
final class StopSignal {

  private final CountDownLatch stopped = new CountDownLatch(1);
  private @Nullable Why why;
  private @Nullable Thread worker;

  /** From now on a stop interrupts the calling thread. */
  synchronized void guard() {
    worker = Thread.currentThread();
    if (why != null) {
      worker.interrupt();
    }
  }

  /** From now on a stop interrupts nobody; one that is under way is forgotten. */
  @SuppressWarnings("ThreadInterruptedIgnored") // The signal itself remembers it.
  synchronized void release() {
    worker = null;
    Thread.interrupted();
  }

  /**
   * The first reason counts; only a lost lease outdoes another.
   *
   * <p>The interrupt comes before the news: who knows of the stop has been interrupted already, and
   * can tidy up without an interrupt in the middle of it.
   */
  synchronized void stop(Why reason) {
    if (why == null || reason == Why.LEASE_LOST) {
      why = reason;
    }
    if (stopped.getCount() == 0) {
      return;
    }
    if (worker != null) {
      worker.interrupt();
    }
    stopped.countDown();
  }

  synchronized Optional<Why> why() {
    return Optional.ofNullable(why);
  }

  /** Who was interrupted by a stop and asks at once waits until the stop is said. */
  synchronized boolean stopped() {
    return stopped.getCount() == 0;
  }

  /** True if the signal came within the time. */
  boolean await(Duration time) throws InterruptedException {
    return stopped.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
