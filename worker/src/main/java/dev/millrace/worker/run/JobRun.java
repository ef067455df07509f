package dev.millrace.worker.run;

import dev.millrace.spi.executor.Executor;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.spi.executor.Produced;
import dev.millrace.worker.control.ControlPlane;
import dev.millrace.worker.control.LeasedJob;
import dev.millrace.worker.control.NotAllowed;
import dev.millrace.worker.control.Refused;
import dev.millrace.worker.control.StaleLease;
import dev.millrace.worker.control.TryLater;
import dev.millrace.worker.files.WorkFolder;
import dev.millrace.worker.http.AssetDownload;
import dev.millrace.worker.log.Clean;
import dev.millrace.worker.log.WorkerLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import tools.jackson.databind.node.ObjectNode;

/** One attempt from its lease to its report. */
final class JobRun {

  private static final Duration SPACING = Duration.ofSeconds(1);

  private final RunParts parts;
  private final LeasedJob job;
  private final ControlPlane server;
  private final WorkerLog log;
  private final StopSignal signal = new StopSignal();
  private final Lease lease;
  private final ReportRetries retries;
  private final long started = System.nanoTime();

  /** Whoever sets it makes the one report. */
  private final AtomicBoolean reported = new AtomicBoolean();

  private final CountDownLatch heard = new CountDownLatch(1);

  /** Hears what a run shows of what runs the jobs, before the server hears of the job's end. */
  interface Observer {

    /** It went away or is ill. */
    void doubt();

    /** A job failed, perhaps by its own doing. */
    void failed(String jobId);

    /** A job succeeded. */
    void trust();
  }

  private final Observer observer;

  /** A run that hasn't begun. */
  JobRun(RunParts parts, LeasedJob job, Duration heartbeat, Observer observer) {
    this.parts = parts;
    this.observer = observer;
    this.job = job;
    server = parts.server();
    log = parts.log();
    lease = new Lease(server, job, heartbeat, SPACING, signal, log);
    retries = new ReportRetries(lease, log);
  }

  LeasedJob job() {
    return job;
  }

  /** Stops the work. A reason that returns the job to the queue does so at once. */
  void stop(Why why) {
    signal.stop(why);
    if (why.requeues()) {
      Thread.ofVirtual().name("requeue-" + job.jobId()).start(() -> report(() -> requeue(why)));
    }
  }

  /** Does all of it on the calling thread, and leaves nothing behind. */
  void run() {
    log.info(
        "job.started",
        "job",
        job.jobId(),
        "attempt",
        job.attempt(),
        "workflow",
        job.workflow(),
        "executor",
        job.provider().orElse("default"));
    lease.start();
    Optional<Path> folder = Optional.empty();
    try {
      folder = Optional.of(parts.folder().create(job.attemptId(job.attempt())));
      work(folder.get());
    } catch (IOException e) {
      log.warn("job.no_folder", "job", job.jobId(), "reason", e);
      fail(JobFailure.interrupted("the worker has no room"));
    } finally {
      lease.close();
      folder.ifPresent(this::remove);
      parts.memory().forgetLease(job.attemptId(job.attempt()));
    }
  }

  private void work(Path folder) {
    AssetFiles files =
        new AssetFiles(new AssetDownload(parts.web()), lease, parts.budget(), folder.resolve("in"));
    Attempt attempt =
        new Attempt(job, lease, signal, folder, files, parts.memory(), parts.maxOutputBytes());
    attempt.keep();
    try {
      signal.guard();
      List<Produced> made = execute(attempt);
      attempt.check();
      observer.trust();
      attempt.progress(99, "uploading", "Storing the result");
      List<ObjectNode> outputs =
          new OutputReport(server, parts.web(), job, retries, parts.maxOutputBytes()).of(made);
      signal.release();
      report(() -> complete(outputs));
    } catch (JobFailure e) {
      signal.release();
      ended(attempt, e);
    } catch (JobStopped | InterruptedException e) {
      signal.release();
      stopped(attempt);
    } catch (StaleLease | NotAllowed | TryLater e) {
      signal.release();
      log.warn("job.lost", "job", job.jobId(), "reason", e);
    } catch (Refused e) {
      signal.release();
      fail(JobFailure.permanent("the server refused the output: " + e.getMessage()));
    } catch (RuntimeException e) {
      // Whatever an executor throws ends here, and only its own job with it.
      signal.release();
      log.warn("job.trouble", "job", job.jobId(), "type", e.getClass().getName());
      // Its words may be anything, such as the names of machines.
      String kind = e.getClass().getSimpleName();
      ended(attempt, JobFailure.retryable("the worker met something unexpected: " + kind));
    }
  }

  private List<Produced> execute(Attempt attempt)
      throws JobFailure, JobStopped, InterruptedException {
    Executor executor =
        parts
            .executors()
            .of(job.provider())
            .orElseThrow(() ->
                JobFailure.retryable(
                    "this worker has no executor '" + job.provider().orElse("") + "'"));
    List<Produced> made = executor.handle(attempt, job.input());
    if (made.isEmpty()) {
      throw JobFailure.permanent("the work ended without an output");
    }
    return made;
  }

  /** A failure after a stop is only the stop's consequence. */
  private void ended(Attempt attempt, JobFailure failure) {
    if (signal.stopped()) {
      stopped(attempt);
    } else {
      fail(failure);
    }
  }

  private void stopped(Attempt attempt) {
    Why why = signal.why().orElse(Why.SHUTDOWN);
    log.info("job.stopped", "job", job.jobId(), "attempt", job.attempt(), "why", why.word());
    switch (why) {
      case LEASE_LOST -> {
        // Nobody would listen. Whoever showed no progress as long as a lease lasts may hang.
        if (attempt.idle().compareTo(job.lease()) >= 0) {
          observer.doubt();
        }
      }
      case CANCELED -> report(() -> server.canceled(job));
      case SHUTDOWN, SPOT, REBALANCE -> report(() -> requeue(why));
    }
  }

  /** A result that the server won't have is a failure that it should hear of. */
  private String complete(List<ObjectNode> outputs)
      throws StaleLease, NotAllowed, TryLater, Refused, InterruptedException {
    try {
      return server.complete(job, outputs, Map.of());
    } catch (Refused e) {
      log.warn("job.output_refused", "job", job.jobId(), "code", e.code());
      String message = "the server refused the output: " + e.getMessage();
      return server.fail(job, JobFailure.Kind.PERMANENT.word(), message, Optional.empty());
    }
  }

  private String requeue(Why why)
      throws StaleLease, NotAllowed, TryLater, Refused, InterruptedException {
    return server.requeue(job, why.word());
  }

  /** The message is for the job's owner. It may quote the input, so the log doesn't have it. */
  private void fail(JobFailure failure) {
    String message = Clean.forOwner(failure.getMessage());
    if (failure.isDoubtful()) {
      observer.doubt();
    } else if (failure.kind() == JobFailure.Kind.RETRYABLE) {
      observer.failed(job.jobId());
    }
    if (failure.kind() == JobFailure.Kind.INTERRUPTED) {
      log.warn("job.interrupted", "job", job.jobId(), "attempt", job.attempt(), "why", message);
      report(() -> server.requeue(job, message));
      return;
    }
    log.info(
        "job.failed", "job", job.jobId(), "attempt", job.attempt(), "class", failure.kind().word());
    report(() -> server.fail(job, failure.kind().word(), message, failure.retryAfter()));
  }

  /** The one report of this run; whoever comes second only waits until it was heard. */
  private void report(ReportRetries.Call<String> call) {
    if (reported.compareAndSet(false, true)) {
      tell(call);
      heard.countDown();
      return;
    }
    try {
      heard.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(ReportRetries.Call<String> call) {
    try {
      String state = retries.call("report", call);
      log.info(
          "job.reported",
          "job",
          job.jobId(),
          "attempt",
          job.attempt(),
          "state",
          state,
          "seconds",
          Duration.ofNanos(System.nanoTime() - started).toMillis() / 1000.0);
    } catch (StaleLease | NotAllowed | Refused | TryLater e) {
      log.warn("job.report_lost", "job", job.jobId(), "attempt", job.attempt(), "reason", e);
    } catch (InterruptedException e) {
      log.warn("job.report_lost", "job", job.jobId(), "reason", "interrupted");
      Thread.currentThread().interrupt();
    }
  }

  private void remove(Path folder) {
    try {
      WorkFolder.remove(folder);
    } catch (IOException e) {
      log.warn("folder.left", "job", job.jobId(), "reason", e);
    }
  }
}
