package dev.millrace.service.webhooks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Rings for everybody who waits; who comes late hears that it rang. */
final class WakeUp {

  private final Lock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();
  private long rings;

  void ring() {
    lock.lock();
    try {
      rings++;
      rung.signalAll();
    } finally {
      lock.unlock();
    }
  }

  long rings() {
    lock.lock();
    try {
      return rings;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it has rung more often than this, or the time is over; how often it has. */
  long await(long heard, Duration most) throws InterruptedException {
    lock.lock();
    try {
      long left = most.toNanos();
      while (rings <= heard && left > 0) {
        left = rung.awaitNanos(left);
      }
      return rings;
    } finally {
      lock.unlock();
    }
  }

  /** Waits in any case. */
  static void rest(Duration pause) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(Math.max(0, pause.toNanos()));
  }
}
