package dev.millrace.worker.run;

import dev.millrace.worker.control.ControlPlane;
import dev.millrace.worker.control.ControlPlane.Polled;
import dev.millrace.worker.control.LeasedJob;
import dev.millrace.worker.control.NotAllowed;
import dev.millrace.worker.control.Refused;
import dev.millrace.worker.control.Registration;
import dev.millrace.worker.control.StaleLease;
import dev.millrace.worker.control.TryLater;
import dev.millrace.worker.http.Backoff;
import dev.millrace.worker.log.WorkerLog;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Asks for jobs and runs them, until it is told to end. */
public final class Worker {

  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final Duration CALL = Duration.ofSeconds(10);

  /** So often the server hears of a worker that can't run anything. */
  private static final Duration TELL = Duration.ofSeconds(10);

  private final RunParts parts;
  private final ControlPlane server;
  private final WorkerLog log;
  private final Membership membership;
  private final Runs runs;
  private final Drain drain = new Drain();
  private final Readiness readiness;
  private String lastStatus = "approved";

  /**
   * A worker that doesn't do anything yet.
   *
   * @param busy is told how many jobs run, whenever that changes
   */
  public Worker(RunParts parts, Membership membership, int slots, Runs.Listener busy) {
    this.parts = parts;
    this.membership = membership;
    server = parts.server();
    log = parts.log();
    runs = new Runs(slots, busy);
    readiness = new Readiness(parts.executors(), parts.budget(), log, this::tell);
  }

  /**
   * Works on the calling thread and returns when the worker was drained.
   *
   * @throws Ended if the server doesn't want this worker
   */
  public void run() throws Ended {
    try {
      drain.guard();
      Registration registration = membership.join();
      readiness.start();
      resume(registration);
      poll(registration);
    } catch (InterruptedException _) {
      // Told to drain.
    } catch (Ended e) {
      readiness.close();
      drain.release();
      runs.stopAll(Why.LEASE_LOST);
      await(Duration.ofSeconds(10));
      membership.forget();
      throw e;
    }
    readiness.close();
    drain.release();
    finish();
  }

  /** Tells the worker to end; a second call can only make it end sooner. */
  public void drain(Why why, Duration grace) {
    log.info("worker.draining", "why", why.word(), "jobs", runs.count());
    drain.begin(why, grace);
  }

  public int running() {
    return runs.count();
  }

  /** Goes on with jobs that this worker had when it was killed, if their leases still live. */
  private void resume(Registration registration) throws InterruptedException {
    try {
      for (JsonNode kept : parts.memory().leases()) {
        LeasedJob job = LeasedJob.of(kept);
        if (stillOurs(job)) {
          log.info("job.resumed", "job", job.jobId(), "attempt", job.attempt());
          runs.claim();
          start(job, registration.heartbeat());
        } else {
          parts.memory().forgetLease(job.attemptId(job.attempt()));
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      log.warn("resume.failed", "reason", e);
    }
  }

  private boolean stillOurs(LeasedJob job) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      try {
        server.heartbeat(job, Optional.empty(), Map.of(), false, CALL);
        return true;
      } catch (StaleLease | NotAllowed | Refused _) {
        return false;
      } catch (TryLater e) {
        Thread.sleep(Duration.ofMillis(200));
      }
    }
    return false;
  }

  private void poll(Registration first) throws Ended, InterruptedException {
    Registration registration = first;
    Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    readiness.awaitOther(Optional.of(Readiness.UNKNOWN), WAIT);
    while (true) {
      int free = runs.awaitFree();
      Optional<String> trouble = readiness.trouble();
      try {
        Polled polled =
            trouble.isPresent() ? server.notReady(trouble.get()) : server.poll(free, WAIT);
        backoff.reset();
        tell(polled);
        for (LeasedJob job : polled.jobs()) {
          runs.claim();
          start(job, registration.heartbeat());
        }
        if (trouble.isPresent()) {
          readiness.awaitOther(trouble, TELL);
        }
      } catch (TryLater e) {
        log.warn("poll.failed", "reason", e);
        Thread.sleep(backoff.next(e.atLeast()));
      } catch (Refused e) {
        log.warn("poll.refused", "reason", e);
        Thread.sleep(backoff.next());
      } catch (NotAllowed e) {
        if (!e.unknown()) {
          throw new Ended("This worker was revoked: " + e.getMessage());
        }
        log.warn("worker.unknown", "reason", e);
        runs.stopAll(Why.LEASE_LOST);
        membership.forget();
        Thread.sleep(backoff.next());
        registration = membership.join();
      }
    }
  }

  /** A poll that waits now would still be given a job, so the server hears of trouble at once. */
  private void tell(Optional<String> trouble) {
    if (trouble.isEmpty()) {
      return;
    }
    try {
      server.notReady(trouble.get());
    } catch (NotAllowed | TryLater | Refused e) {
      log.warn("readiness.not_told", "reason", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(Polled polled) {
    if (!polled.status().equals(lastStatus)) {
      log.info("worker.status", "status", polled.status());
      lastStatus = polled.status();
    }
    if (polled.unreadable() > 0) {
      log.warn("poll.unreadable_jobs", "count", polled.unreadable());
    }
  }

  private void start(LeasedJob job, Duration heartbeat) {
    JobRun run = new JobRun(parts, job, heartbeat, readiness);
    runs.add(run);
    Thread.ofVirtual()
        .name("job-" + job.jobId())
        .start(() -> {
          try {
            run.run();
          } finally {
            runs.remove(run);
          }
        });
  }

  /** Lets jobs end within the grace, returns the rest to the queue, and takes leave. */
  private void finish() {
    try {
      while (runs.count() > 0 && !drain.isOver()) {
        drain.awaitOver(runs);
      }
      runs.stopAll(drain.why());
      await(CALL);
      membership.leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    log.info("worker.ended", "why", drain.why().word());
  }

  private void await(Duration time) {
    try {
      runs.awaitNone(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
