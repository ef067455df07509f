package dev.millrace.service.live;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** One who waits. Wake-ups that come while nobody waits are kept, as one. */
public final class Waiter implements AutoCloseable {

  private final Hub hub;
  private final Set<Object> topics;
  private final Semaphore woken = new Semaphore(0);

  Waiter(Hub hub, Set<Object> topics) {
    this.hub = hub;
    this.topics = topics;
  }

  Set<Object> topics() {
    return topics;
  }

  public void wake() {
    woken.release();
  }

  /** True if woken, now or since the last wait; false if the time ran out. */
  public boolean await(Duration most) throws InterruptedException {
    boolean awake = woken.tryAcquire(most.toMillis(), TimeUnit.MILLISECONDS);
    woken.drainPermits();
    return awake;
  }

  @Override
  public void close() {
    hub.remove(this);
  }
}
