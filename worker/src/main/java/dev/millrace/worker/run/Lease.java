package dev.millrace.worker.run;

import dev.millrace.worker.control.ControlPlane;
import dev.millrace.worker.control.ControlPlane.HeartbeatAnswer;
import dev.millrace.worker.control.ControlPlane.Progress;
import dev.millrace.worker.control.LeasedJob;
import dev.millrace.worker.control.NotAllowed;
import dev.millrace.worker.control.Refused;
import dev.millrace.worker.control.StaleLease;
import dev.millrace.worker.control.TryLater;
import dev.millrace.worker.http.Backoff;
import dev.millrace.worker.log.WorkerLog;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a lease alive from a thread of its own, and carries progress on the way.
 *
 * <p>When it ends is judged by this machine's stopwatch, counted from before the last heartbeat
 * that was answered was sent. So the worker stops at the latest when the server gives the job to
 * somebody else, whatever the clocks say.
 */
final class Lease implements AutoCloseable {

  private static final Duration LONGEST_CALL = Duration.ofSeconds(20);

  private final ControlPlane server;
  private final LeasedJob job;
  private final StopSignal signal;
  private final WorkerLog log;
  private final long heartbeatNanos;
  private final long spacingNanos;
  private final Backoff backoff;
  private final Map<String, URI> urls;
  private final Thread thread;

  private volatile long validUntil;
  private long nextBeat;
  private long lastBeat;
  private @Nullable Progress progress;
  private final Map<String, Object> summary = new LinkedHashMap<>();
  private boolean forced;
  private boolean stale;
  private long renewals;

  /**
   * A lease that was just granted or confirmed.
   *
   * @param spacing progress is sent at most so often
   */
  Lease(
      ControlPlane server,
      LeasedJob job,
      Duration heartbeat,
      Duration spacing,
      StopSignal signal,
      WorkerLog log) {
    this.server = server;
    this.job = job;
    this.signal = signal;
    this.log = log;
    this.heartbeatNanos = Math.min(heartbeat.toNanos(), job.lease().toNanos() / 3);
    this.spacingNanos = Math.min(spacing.toNanos(), heartbeatNanos);
    this.backoff =
        new Backoff(Duration.ofNanos(heartbeatNanos / 8), Duration.ofNanos(heartbeatNanos));
    this.urls = new ConcurrentHashMap<>(job.urls());
    long now = System.nanoTime();
    validUntil = now + job.lease().toNanos();
    lastBeat = now - spacingNanos;
    nextBeat = now + heartbeatNanos;
    thread = Thread.ofVirtual().name("lease-" + job.jobId()).unstarted(this::keep);
  }

  void start() {
    thread.start();
  }

  synchronized void progress(Progress now) {
    progress = now;
    notifyAll();
  }

  /** Adds a fact to what the next heartbeat tells. */
  synchronized void summary(String key, Object value) {
    summary.put(key, value);
    notifyAll();
  }

  boolean alive() {
    return System.nanoTime() - validUntil < 0 && signal.why().orElse(null) != Why.LEASE_LOST;
  }

  /** Where an asset is now. */
  @Nullable URI url(String fileId) {
    return urls.get(fileId);
  }

  /** Asks at once for fresh addresses, and waits for them a little. */
  synchronized void refresh(Duration wait) throws InterruptedException {
    long before = renewals;
    long until = System.nanoTime() + wait.toNanos();
    stale = true;
    forced = true;
    notifyAll();
    while (renewals == before && System.nanoTime() - until < 0) {
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, until - System.nanoTime()));
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void keep() {
    try {
      while (true) {
        awaitTurn();
        if (!beat()) {
          return;
        }
      }
    } catch (InterruptedException _) {
      // Closed: the attempt is over.
    }
  }

  private synchronized void awaitTurn() throws InterruptedException {
    while (!forced) {
      boolean news = progress != null || !summary.isEmpty();
      long due = news ? Math.min(nextBeat, lastBeat + spacingNanos) : nextBeat;
      long wait = due - System.nanoTime();
      if (wait <= 0) {
        break;
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, wait));
    }
    forced = false;
  }

  /** False once there is nothing left to keep. */
  private boolean beat() throws InterruptedException {
    long sent = System.nanoTime();
    if (sent - validUntil >= 0) {
      return lost("no heartbeat got through");
    }
    Optional<Progress> told;
    Map<String, Object> facts;
    boolean asks;
    synchronized (this) {
      told = Optional.ofNullable(progress);
      facts = Map.copyOf(summary);
      asks = stale;
      progress = null;
      summary.clear();
      lastBeat = sent;
    }
    Duration left = Duration.ofNanos(validUntil - sent).plusMillis(1);
    try {
      Duration limit = left.compareTo(LONGEST_CALL) < 0 ? left : LONGEST_CALL;
      confirmed(server.heartbeat(job, told, facts, asks, limit), sent, asks);
      return true;
    } catch (StaleLease e) {
      return lost("stale");
    } catch (NotAllowed e) {
      return lost("the worker is not allowed any more");
    } catch (Refused e) {
      // What it told was wrong; without that the next one may be fine.
      log.warn("heartbeat.refused", "job", job.jobId(), "reason", e);
      again(Duration.ZERO);
    } catch (TryLater e) {
      log.warn("heartbeat.failed", "job", job.jobId(), "reason", e);
      keepForNext(told, facts);
      again(e.atLeast());
    }
    return true;
  }

  private synchronized void confirmed(HeartbeatAnswer beat, long sent, boolean asked) {
    validUntil = sent + job.lease().toNanos();
    nextBeat = sent + heartbeatNanos;
    backoff.reset();
    urls.putAll(beat.urls());
    if (asked) {
      stale = false;
      renewals++;
    }
    notifyAll();
    if (beat.cancel()) {
      signal.stop(Why.CANCELED);
    }
  }

  private synchronized void keepForNext(Optional<Progress> told, Map<String, Object> facts) {
    if (progress == null) {
      progress = told.orElse(null);
    }
    facts.forEach(summary::putIfAbsent);
  }

  /** The next try is after a while, but not after the lease's end. */
  private synchronized void again(Duration atLeast) {
    long now = System.nanoTime();
    long wait = Math.min(backoff.next(atLeast).toNanos(), Math.max(0, validUntil - now));
    nextBeat = now + wait;
    lastBeat = nextBeat - spacingNanos;
  }

  private boolean lost(String reason) {
    validUntil = System.nanoTime() - 1;
    log.warn("lease.lost", "job", job.jobId(), "attempt", job.attempt(), "reason", reason);
    signal.stop(Why.LEASE_LOST);
    return false;
  }
}
