package dev.millrace.worker.run;

import dev.millrace.worker.files.DiskBudget;
import dev.millrace.worker.http.Backoff;
import dev.millrace.worker.log.Clean;
import dev.millrace.worker.log.WorkerLog;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Knows whether jobs can be run now. It looks from a thread of its own, so that what runs the jobs
 * may hang without keeping the worker from talking to the server.
 */
final class Readiness implements JobRun.Observer, AutoCloseable {

  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(20);
  private static final long ENOUGH_DISK = 16L * 1024 * 1024;

  /** As long as nobody has looked. */
  static final String UNKNOWN = "starting";

  /** So many jobs in a row don't fail by their own doing. */
  private static final int MOST_FAILED = 5;

  private static final String RETURNED = "had to give its last job back";
  private static final String FAILED = "has failed " + MOST_FAILED + " jobs in a row";

  /** Is told of each change, on the thread that looks. */
  @FunctionalInterface
  interface Listener {
    void changed(Optional<String> trouble);
  }

  private final Executors executors;
  private final DiskBudget budget;
  private final WorkerLog log;
  private final Listener listener;
  private final Thread thread;
  private final Thread guard;
  private Optional<String> trouble = Optional.of(UNKNOWN);
  private String asked = "";
  private long lookSince = System.nanoTime();
  private boolean looking;
  private final Backoff rests = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
  private final Set<String> failed = new HashSet<>();
  private long notBefore = System.nanoTime();

  Readiness(Executors executors, DiskBudget budget, WorkerLog log, Listener listener) {
    this.executors = executors;
    this.budget = budget;
    this.log = log;
    this.listener = listener;
    thread = Thread.ofVirtual().name("readiness").unstarted(this::look);
    guard = Thread.ofVirtual().name("readiness-guard").unstarted(this::guard);
  }

  void start() {
    thread.start();
    guard.start();
  }

  /** Why no job can be run now; empty if one can. */
  synchronized Optional<String> trouble() {
    return trouble;
  }

  /**
   * A job had to go back although all seemed well, or many failed in a row. So nothing more is
   * taken until that was looked at again, and the longer, the more jobs in a row went back: they
   * would all go the same way.
   */
  @Override
  public void doubt() {
    doubt(RETURNED);
  }

  private void doubt(String reason) {
    synchronized (this) {
      notBefore = System.nanoTime() + rests.next().toNanos();
      notifyAll();
    }
    change(Optional.of(reason));
  }

  /** Different jobs that fail one after the other are the doing of what runs them. */
  @Override
  public void failed(String jobId) {
    synchronized (this) {
      failed.add(jobId);
      if (failed.size() < MOST_FAILED) {
        return;
      }
      failed.clear();
    }
    doubt(FAILED);
  }

  /** A job was run to a good end. */
  @Override
  public synchronized void trust() {
    rests.reset();
    failed.clear();
  }

  /** Waits until it is another one, or the time is over. */
  synchronized void awaitOther(Optional<String> than, Duration time) throws InterruptedException {
    long until = System.nanoTime() + time.toNanos();
    while (trouble.equals(than) && System.nanoTime() - until < 0) {
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, until - System.nanoTime()));
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    guard.interrupt();
  }

  private void look() {
    try {
      while (true) {
        long began = System.nanoTime();
        seen(found(), began);
        awaitNext();
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /** A look that began before the doubt doesn't end it. */
  private void seen(Optional<String> found, long began) {
    synchronized (this) {
      if (found.isEmpty() && began - notBefore < 0) {
        return;
      }
    }
    change(found);
  }

  private synchronized void awaitNext() throws InterruptedException {
    long next = System.nanoTime() + LOOK.toNanos();
    while (true) {
      boolean doubted =
          trouble.filter(why -> why.equals(RETURNED) || why.equals(FAILED)).isPresent();
      long wait = (doubted ? Math.min(next, notBefore) : next) - System.nanoTime();
      if (wait <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, wait));
    }
  }

  private Optional<String> found() throws InterruptedException {
    for (String name : executors.names()) {
      asking(name, true);
      try {
        Optional<String> found = executors.trouble(name);
        if (found.isPresent()) {
          return Optional.of(name + " " + Clean.text(found.get()));
        }
      } catch (RuntimeException e) {
        // Whatever an executor throws only means that it can't work.
        return Optional.of(name + " can't say whether it is ready");
      } finally {
        asking(name, false);
      }
    }
    return budget.left() < ENOUGH_DISK ? Optional.of("disk is full") : Optional.empty();
  }

  private synchronized void asking(String name, boolean now) {
    asked = name;
    looking = now;
    lookSince = System.nanoTime();
    notifyAll();
  }

  /** An executor that never says whether it is ready isn't. */
  private void guard() {
    try {
      while (true) {
        String silent = awaitSilent();
        change(Optional.of(silent + " doesn't say whether it is ready"));
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private synchronized String awaitSilent() throws InterruptedException {
    while (true) {
      long left = lookSince + LONGEST_LOOK.toNanos() - System.nanoTime();
      if (looking && left <= 0) {
        lookSince = System.nanoTime();
        return asked;
      }
      TimeUnit.NANOSECONDS.timedWait(
          this, looking ? Math.max(1_000_000, left) : LONGEST_LOOK.toNanos());
    }
  }

  private void change(Optional<String> now) {
    synchronized (this) {
      if (now.equals(trouble)) {
        return;
      }
      trouble = now;
      notifyAll();
    }
    now.ifPresentOrElse(
        why -> log.warn("worker.not_ready", "because", why), () -> log.info("worker.ready"));
    listener.changed(now);
  }
}
