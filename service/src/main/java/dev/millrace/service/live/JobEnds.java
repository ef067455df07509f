package dev.millrace.service.live;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.tenants.Visibility;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/**
 * Waits for jobs to end, on behalf of requests that want their answer at once. A wait has a limit,
 * and so has the number of those who wait: whoever is one too many is told how the job stands.
 */
public final class JobEnds implements AutoCloseable {

  /** As many as that wait at once; each costs a parked thread. */
  private static final int MOST_WAITING = 2_000;

  /** The slow look behind a wake-up that got lost. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final Jobs jobs;
  private final Hub hub;
  private final Semaphore places = new Semaphore(MOST_WAITING);
  private volatile boolean closed;

  public JobEnds(Jobs jobs, Hub hub) {
    this.jobs = jobs;
    this.hub = hub;
  }

  /** The job at its end, or as it is when nobody may wait any longer; empty if it is gone. */
  public Optional<JobView> await(int tenant, UUID id, Duration most) throws InterruptedException {
    if (!places.tryAcquire()) {
      return find(tenant, id);
    }
    try (Waiter news = hub.forJob(id)) {
      long end = System.nanoTime() + most.toNanos();
      while (true) {
        Optional<JobView> job = find(tenant, id);
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (job.isEmpty() || isEnd(job.get().state()) || !left.isPositive() || closed) {
          return job;
        }
        news.await(left.compareTo(LOOK) < 0 ? left : LOOK);
      }
    } finally {
      places.release();
    }
  }

  private Optional<JobView> find(int tenant, UUID id) {
    return jobs.find(Visibility.of(tenant), id);
  }

  /** What waits for a person would keep everybody waiting. */
  private static boolean isEnd(State state) {
    return state.terminal() || state == State.WAITING_REVIEW;
  }

  /** Ends all waits, so that a server which stops needn't wait for them. */
  @Override
  public void close() {
    closed = true;
    hub.wakeAll();
  }
}
