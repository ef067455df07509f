package dev.millrace.worker.http;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before the next try: twice as long each time up to a cap, with full jitter. */
public final class Backoff {

  private final Duration first;
  private final Duration cap;
  private int tries;

  public Backoff(Duration first, Duration cap) {
    this.first = first;
    this.cap = cap;
  }

  /** The next wait; never shorter than a fifth of what it could be, so that it is one. */
  public Duration next() {
    long most = Math.min(cap.toMillis(), first.toMillis() << Math.min(tries, 20));
    tries++;
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most / 5, most + 1));
  }

  /** As {@link #next}, but not shorter than the other side asked for. */
  public Duration next(Duration atLeast) {
    Duration wait = next();
    return wait.compareTo(atLeast) < 0 ? atLeast : wait;
  }

  public void reset() {
    tries = 0;
  }
}
