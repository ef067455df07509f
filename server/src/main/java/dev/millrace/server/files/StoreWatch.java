package dev.millrace.server.files;

import dev.millrace.server.objects.ObjectStore;
import dev.millrace.server.objects.ObjectStoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Knows whether the store answers, without asking it each time that somebody asks. */
public final class StoreWatch {

  private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final ObjectStore store;
  private final InstantSource clock;
  private Instant asked = Instant.MIN;
  private boolean reachable;

  public StoreWatch(ObjectStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Whether the store answered when it was last asked, which was a few seconds ago at most. */
  public synchronized boolean reachable() {
    Instant now = clock.instant();
    if (asked.isBefore(now.minus(FRESH))) {
      reachable = look();
      asked = clock.instant();
    }
    return reachable;
  }

  private boolean look() {
    try {
      store.check();
      return true;
    } catch (ObjectStoreException e) {
      LOG.warn("Files can't be kept now: {}", e.getMessage());
      return false;
    }
  }
}
