package dev.millrace.worker.aws;

import dev.millrace.worker.log.WorkerLog;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Looks for the notice that this instance will be taken away: two minutes ahead, or less. */
public final class SpotWatch implements AutoCloseable {

  /** Hears of a notice, once. */
  public interface Listener {
    /** The instance will be stopped or terminated. */
    void interrupted();

    /** The instance is at risk, and AWS advises to move. */
    void rebalance();
  }

  private final Imds imds;
  private final Duration interval;
  private final Listener listener;
  private final WorkerLog log;
  private final Thread thread;
  private final Optional<Duration> unlessHeardWithin;
  private boolean troubled;
  private boolean heard;

  /**
   * Watches from now on.
   *
   * @param unlessHeardWithin after how long without any answer this is no EC2 instance; empty to go
   *     on for ever
   */
  public SpotWatch(
      Imds imds,
      Duration interval,
      Optional<Duration> unlessHeardWithin,
      Listener listener,
      WorkerLog log) {
    this.imds = imds;
    this.unlessHeardWithin = unlessHeardWithin;
    this.interval = interval;
    this.listener = listener;
    this.log = log;
    thread = Thread.ofVirtual().name("spot-watch").start(this::watch);
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void watch() {
    boolean advised = false;
    long begun = System.nanoTime();
    try {
      while (heard
          || unlessHeardWithin.isEmpty()
          || System.nanoTime() - begun < unlessHeardWithin.get().toNanos()) {
        if (there("meta-data/spot/instance-action")) {
          log.warn("spot.interruption");
          listener.interrupted();
          return;
        }
        if (!advised && there("meta-data/events/recommendations/rebalance")) {
          log.warn("spot.rebalance");
          advised = true;
          listener.rebalance();
        }
        Thread.sleep(interval);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private boolean there(String path) throws InterruptedException {
    try {
      Optional<String> notice = imds.get(path);
      troubled = false;
      heard = true;
      return notice.isPresent();
    } catch (IOException e) {
      if (!troubled && (heard || unlessHeardWithin.isEmpty())) {
        log.warn("spot.cannot_look", "reason", e);
      }
      troubled = true;
      return false;
    }
  }
}
