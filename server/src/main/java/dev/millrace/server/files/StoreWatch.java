package dev.millrace.server.files;

import dev.millrace.server.objects.ObjectStore;
import dev.millrace.server.objects.ObjectStoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether the store answers. Whoever asks is told what was found last, and never waits for a
 * store that doesn't answer.
 */
public final class StoreWatch {

  private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final ObjectStore store;
  private final InstantSource clock;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile Instant looked;
  private volatile boolean reachable = true;

  /** Starts with good news: a store was looked at when it was opened. */
  public StoreWatch(ObjectStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    this.looked = clock.instant();
  }

  /** Whether the store answered when it was last looked at; if that is long ago, it is again. */
  public boolean reachable() {
    if (looked.isBefore(clock.instant().minus(FRESH)) && looking.compareAndSet(false, true)) {
      Thread.ofVirtual().name("store-watch").start(this::look);
    }
    return reachable;
  }

  private void look() {
    try {
      store.check();
      reachable = true;
    } catch (ObjectStoreException e) {
      LOG.warn("Files can't be kept now: {}", e.getMessage());
      reachable = false;
    } finally {
      looked = clock.instant();
      looking.set(false);
    }
  }
}
