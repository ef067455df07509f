package dev.millrace.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Syncs directories in which many make names at once. Whoever waits while a sync runs is served by
 * the next one, together with all others who wait: one flush of the disk for many.
 */
public final class SharedSync {

  private final ConcurrentMap<Path, Turns> directories = new ConcurrentHashMap<>();

  /** Returns when a sync has ended that began after this call. */
  void sync(Path directory) throws IOException {
    directories.computeIfAbsent(directory, _ -> new Turns()).sync(directory);
  }

  private static final class Turns {
    private final ReentrantLock turn = new ReentrantLock();

    /** How many syncs began; only who has the turn changes it. */
    private volatile long begun;

    /** Which of them was the newest that ended well; guarded by the turn. */
    private long ended;

    void sync(Path directory) throws IOException {
      long before = begun;
      turn.lock();
      try {
        if (ended > before) {
          return;
        }
        long mine = begun + 1;
        begun = mine;
        DurableFiles.sync(directory);
        ended = mine;
      } finally {
        turn.unlock();
      }
    }
  }
}
