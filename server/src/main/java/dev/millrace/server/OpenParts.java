package dev.millrace.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has to be closed. Parts of one phase don't need each other and are closed at the same time,
 * each on a thread of its own, so that an interrupt of the caller doesn't reach them. A phase is
 * waited for only as long as it leaves the later ones their time.
 */
final class OpenParts {

  private static final Logger LOG = LoggerFactory.getLogger(OpenParts.class);

  /** In the order in which they are closed. */
  enum Phase {
    /** Whatever takes work in: requests, jobs, duties. They use all that follows. */
    SERVING(1),
    /** The engine, and the files that it knows of. */
    ENGINE(1),
    /** The connections. */
    DATABASE(2),
    /** The database itself, if it is ours. */
    EMBEDDED(6);

    private final Duration owed;

    Phase(int seconds) {
      this.owed = Duration.ofSeconds(seconds);
    }
  }

  /** What is kept for the phases after the first one, however long that would like to take. */
  static final Duration AFTER_SERVING = owedAfter(Phase.SERVING);

  /** Something that can be told how long it may take to close. */
  interface Part {
    void close(Duration limit) throws Exception;
  }

  private final Map<Phase, List<Part>> parts = new EnumMap<>(Phase.class);

  <T extends AutoCloseable> T add(Phase phase, T part) {
    addPart(phase, _ -> part.close());
    return part;
  }

  void addPart(Phase phase, Part part) {
    parts.computeIfAbsent(phase, _ -> new ArrayList<>()).addFirst(part);
  }

  /**
   * Closes everything within this time. What isn't closed by then is left, and the log says so.
   *
   * @throws IllegalStateException if closing failed somewhere; everything else is closed all the
   *     same
   */
  void close(Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    Queue<Exception> troubles = new ConcurrentLinkedQueue<>();
    for (Phase phase : Phase.values()) {
      List<Part> closing = parts.remove(phase);
      if (closing != null) {
        Duration left = Duration.ofNanos(end - System.nanoTime()).minus(owedAfter(phase));
        Duration most = left.compareTo(phase.owed) > 0 ? left : phase.owed;
        if (!closeTogether(closing, most, troubles)) {
          LOG.warn("{} was not closed within {} and is left behind", phase, most);
        }
      }
    }
    throwIfAny(troubles);
  }

  private static Duration owedAfter(Phase phase) {
    Duration owed = Duration.ZERO;
    for (Phase later : Phase.values()) {
      owed = later.compareTo(phase) > 0 ? owed.plus(later.owed) : owed;
    }
    return owed;
  }

  /** Closes all at the same time; false if some took longer. */
  static boolean closeTogether(List<? extends AutoCloseable> all, Duration limit) {
    Queue<Exception> troubles = new ConcurrentLinkedQueue<>();
    List<Part> closing = new ArrayList<>();
    all.forEach(part -> closing.add(_ -> part.close()));
    boolean done = closeTogether(closing, limit, troubles);
    throwIfAny(troubles);
    return done;
  }

  private static boolean closeTogether(
      List<Part> closing, Duration limit, Queue<Exception> troubles) {
    long end = System.nanoTime() + limit.toNanos();
    List<Thread> threads = new ArrayList<>();
    for (Part part : closing) {
      threads.add(
          Thread.ofVirtual()
              .name("closing")
              .start(() -> {
                try {
                  part.close(limit);
                } catch (Exception e) {
                  troubles.add(e);
                }
              }));
    }
    boolean done = true;
    for (Thread thread : threads) {
      done &= endsBy(thread, end);
    }
    return done;
  }

  /** An interrupt doesn't shorten it: it is bounded, and what is half closed helps nobody. */
  private static boolean endsBy(Thread thread, long end) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void throwIfAny(Queue<Exception> troubles) {
    @Nullable Exception first = troubles.poll();
    if (first != null) {
      IllegalStateException trouble = new IllegalStateException("could not close", first);
      troubles.forEach(trouble::addSuppressed);
      throw trouble;
    }
  }
}
