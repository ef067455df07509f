package dev.millrace.service.duties;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs duties, each on its own thread with its own pause, until closed. */
public final class Duties implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Duties.class);

  private static final Duration END_PATIENCE = Duration.ofSeconds(5);

  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  public Duties every(Duration pause, Duty duty) {
    threads.add(Thread.ofVirtual().name("duty-" + duty.name()).start(() -> loop(pause, duty)));
    return this;
  }

  private void loop(Duration pause, Duty duty) {
    try {
      do {
        runOnce(duty);
      } while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A duty that fails once must not end; it may succeed the next time. */
  private void runOnce(Duty duty) throws InterruptedException {
    try {
      duty.run();
    } catch (RuntimeException | Error e) {
      LOG.error("The duty {} failed and will be tried again", duty.name(), e);
    }
  }

  /**
   * Whoever is not done in time is interrupted: what he does is done again after the next start.
   */
  @Override
  public void close() {
    closed.countDown();
    long end = System.nanoTime() + END_PATIENCE.toNanos();
    try {
      for (Thread thread : threads) {
        if (!thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
          LOG.warn("{} is not done in time and is interrupted", thread.getName());
          thread.interrupt();
        }
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
  }
}
