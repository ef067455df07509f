package dev.millrace.worker.run;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The jobs that run now, and how many more may. */
public final class Runs {

  /** Is told how many jobs run. */
  @FunctionalInterface
  public interface Listener {
    void running(int count);
  }

  private final int slots;
  private final Listener listener;
  private final Set<JobRun> running = new LinkedHashSet<>();
  private int claimed;

  Runs(int slots, Listener listener) {
    this.slots = slots;
    this.listener = listener;
  }

  /** Waits until there is a free slot, and says how many there are. */
  synchronized int awaitFree() throws InterruptedException {
    while (claimed >= slots) {
      wait();
    }
    return slots - claimed;
  }

  /** Takes a slot. The server gives no more jobs than were asked for; should it, they run too. */
  synchronized void claim() {
    claimed++;
  }

  void add(JobRun run) {
    int count;
    synchronized (this) {
      running.add(run);
      count = running.size();
    }
    listener.running(count);
  }

  void remove(JobRun run) {
    int count;
    synchronized (this) {
      running.remove(run);
      claimed--;
      count = running.size();
      notifyAll();
    }
    listener.running(count);
  }

  synchronized int count() {
    return running.size();
  }

  void stopAll(Why why) {
    List<JobRun> all;
    synchronized (this) {
      all = List.copyOf(running);
    }
    all.forEach(run -> run.stop(why));
  }

  /** Waits until none runs any more, or the time is over. */
  synchronized void awaitNone(Duration time) throws InterruptedException {
    long until = System.nanoTime() + time.toNanos();
    while (!running.isEmpty() && System.nanoTime() - until < 0) {
      long left = until - System.nanoTime();
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, left));
    }
  }
}
