package dev.millrace.storage.picture;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who may decode now. Everybody waits in the order in which they came, and nobody stands there more
 * than once: whoever brings many slow pictures waits for their own and keeps others only for one.
 */
final class PictureTurns {

  private final Semaphore all;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Own> owners = new HashMap<>();

  /** The one turn that an owner may have or wait for. */
  private static final class Own {
    private final Semaphore turn = new Semaphore(1, true);
    private int interested;
  }

  /**
   * So many turns.
   *
   * @param atOnce how many pictures are decoded at the same time
   */
  PictureTurns(int atOnce) {
    this.all = new Semaphore(atOnce, true);
  }

  /** Waits for a turn; false if there is none in time. */
  boolean take(String owner, Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    Own own = come(owner);
    boolean taken = false;
    boolean mine = false;
    try {
      mine = own.turn.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
      taken = mine && all.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      return taken;
    } finally {
      if (!taken) {
        if (mine) {
          own.turn.release();
        }
        leave(owner, own);
      }
    }
  }

  void giveBack(String owner) {
    all.release();
    lock.lock();
    try {
      Own own = owners.get(owner);
      if (own == null) {
        throw new IllegalStateException("nobody has this turn");
      }
      own.turn.release();
      leave(owner, own);
    } finally {
      lock.unlock();
    }
  }

  int free() {
    return all.availablePermits();
  }

  /** How many owners have a turn or wait for one. */
  int owners() {
    lock.lock();
    try {
      return owners.size();
    } finally {
      lock.unlock();
    }
  }

  private Own come(String owner) {
    lock.lock();
    try {
      Own own = owners.computeIfAbsent(owner, _ -> new Own());
      own.interested++;
      return own;
    } finally {
      lock.unlock();
    }
  }

  private void leave(String owner, Own own) {
    lock.lock();
    try {
      own.interested--;
      if (own.interested == 0) {
        owners.remove(owner);
      }
    } finally {
      lock.unlock();
    }
  }
}
