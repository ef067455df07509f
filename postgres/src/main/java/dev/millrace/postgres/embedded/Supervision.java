package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the server again when it has died, at the same port, so that those who use it find it
 * there. It never gives up: a disk that is full may have room later.
 */
final class Supervision {

  private static final Logger LOG = LoggerFactory.getLogger(Supervision.class);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final int MOST_DOUBLINGS = 4;
  private static final Duration GIVING_UP = Duration.ofSeconds(5);

  private final Postmaster postmaster;
  private final int port;
  private final Thread thread;

  /** Held while the server is started again, so that nobody stops it halfway. */
  private final ReentrantLock restarting = new ReentrantLock();

  private volatile boolean ended;
  private long pid;

  Supervision(Postmaster postmaster, int port) {
    this.postmaster = postmaster;
    this.port = port;
    this.pid = pid();
    this.thread = Thread.ofPlatform().name("postgres-supervision").daemon().start(this::run);
  }

  private long pid() {
    return postmaster.processes().postmaster().map(ProcessHandle::pid).orElse(-1L);
  }

  private void run() {
    int failed = 0;
    while (!ended) {
      LockSupport.parkNanos(pause(failed).toNanos());
      if (ended || postmaster.processes().works(pid)) {
        continue;
      }
      failed = restart() ? 0 : failed + 1;
    }
  }

  private static Duration pause(int failed) {
    return failed == 0
        ? LOOK
        : FIRST_PAUSE.multipliedBy(1L << Math.min(failed - 1, MOST_DOUBLINGS));
  }

  private boolean restart() {
    restarting.lock();
    try {
      if (ended) {
        return true;
      }
      LOG.warn("PostgreSQL has ended, though nobody stopped it; starting it again");
      postmaster.stop();
      postmaster.startAt(port);
      pid = pid();
      LOG.info("PostgreSQL is back");
      return true;
    } catch (IOException | RuntimeException e) {
      if (!ended) {
        LOG.error("PostgreSQL did not start again; trying once more in a while", e);
      }
      return false;
    } finally {
      restarting.unlock();
    }
  }

  /** From here on nothing is started. A start that is under way is given up. */
  void end() {
    ended = true;
    postmaster.cancelStart();
    LockSupport.unpark(thread);
    try {
      // What is under way is being given up; if that takes long, stopping the server ends it too.
      if (restarting.tryLock(GIVING_UP.toMillis(), TimeUnit.MILLISECONDS)) {
        restarting.unlock();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
