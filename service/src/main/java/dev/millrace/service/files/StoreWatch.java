package dev.millrace.service.files;

import dev.millrace.storage.ClockSkew;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells how the store of the files stands now. Whoever asks while a look is under way, or right
 * after one, gets what it found: many who ask are one look. Nobody waits for long.
 */
public final class StoreWatch {

  /** How the store stands. */
  public enum Standing {
    GOOD,
    /** It doesn't answer, or refuses everything. */
    AWAY,
    /** It answers, but with such a clock the URLs that we sign are refused, now or too early. */
    OTHER_TIME
  }

  private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final ObjectStore store;
  private final Duration patience;
  private volatile Standing last = Standing.GOOD;
  private @Nullable CompletableFuture<Standing> look;
  private long begun;

  public StoreWatch(ObjectStore store) {
    this(store, PATIENCE);
  }

  StoreWatch(ObjectStore store, Duration patience) {
    this.store = store;
    this.patience = patience;
  }

  /** How the store stands; one that doesn't answer in time is away. */
  public Standing now() {
    Standing found = found();
    if (found != last) {
      last = found;
      tell(found);
    }
    return found;
  }

  private Standing found() {
    try {
      return look().get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException _) {
      return Standing.AWAY;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Standing.AWAY;
    }
  }

  private synchronized CompletableFuture<Standing> look() {
    long now = System.nanoTime();
    if (look == null || (look.isDone() && now - begun > FRESH.toNanos())) {
      CompletableFuture<Standing> next = new CompletableFuture<>();
      begun = now;
      look = next;
      Thread.ofVirtual().name("store-watch").start(() -> next.complete(asked()));
    }
    return look;
  }

  private Standing asked() {
    try {
      store.check();
    } catch (ObjectStoreException e) {
      LOG.debug("The store of the files doesn't answer", e);
      return Standing.AWAY;
    } catch (RuntimeException e) {
      LOG.warn("The store of the files can't be asked", e);
      return Standing.AWAY;
    }
    return isSame(store.clockSkew()) ? Standing.GOOD : Standing.OTHER_TIME;
  }

  private static boolean isSame(Duration skew) {
    return skew.abs().compareTo(ClockSkew.MOST) <= 0;
  }

  private void tell(Standing found) {
    switch (found) {
      case GOOD -> LOG.info("Files can be kept again, in {}", store.inWords());
      case AWAY -> LOG.warn("Files can't be kept now: {} doesn't answer", store.inWords());
      case OTHER_TIME ->
          LOG.warn(
              "The clock of {} differs from ours by {} s. Signed URLs may be refused: set the"
                  + " clock of this machine",
              store.inWords(),
              store.clockSkew().toSeconds());
    }
  }
}
