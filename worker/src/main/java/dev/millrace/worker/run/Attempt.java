package dev.millrace.worker.run;

import dev.millrace.spi.executor.Asset;
import dev.millrace.spi.executor.JobContext;
import dev.millrace.spi.executor.JobFailure;
import dev.millrace.spi.executor.JobStopped;
import dev.millrace.worker.control.ControlPlane;
import dev.millrace.worker.control.ControlPlane.Progress;
import dev.millrace.worker.control.LeasedJob;
import dev.millrace.worker.files.WorkerMemory;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.log.Clean;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** One attempt, between the executor that works on it and the lease that it lives by. */
final class Attempt implements JobContext {

  private final LeasedJob job;
  private final Lease lease;
  private final StopSignal signal;
  private final Path folder;
  private final AssetFiles files;
  private final WorkerMemory memory;
  private final long maxOutputBytes;
  private final long started = System.nanoTime();
  private final long leasedAt = Instant.now().toEpochMilli();
  private volatile Optional<String> note;
  private volatile Optional<Progress> told = Optional.empty();
  private volatile long moved = started;

  Attempt(
      LeasedJob job,
      Lease lease,
      StopSignal signal,
      Path folder,
      AssetFiles files,
      WorkerMemory memory,
      long maxOutputBytes) {
    this.job = job;
    this.lease = lease;
    this.signal = signal;
    this.folder = folder;
    this.files = files;
    this.memory = memory;
    this.maxOutputBytes = maxOutputBytes;
    note = Optional.of(job.json().path(NOTE).asString("")).filter(text -> !text.isEmpty());
  }

  /** Where a note is kept: beside what the server sent. */
  private static final String NOTE = "worker_note";

  @Override
  public String jobId() {
    return job.jobId();
  }

  @Override
  public int attempt() {
    return job.attempt();
  }

  @Override
  public UUID attemptId(int attempt) {
    return job.attemptId(attempt);
  }

  @Override
  public String workflow() {
    return job.workflow();
  }

  @Override
  public int workflowVersion() {
    return job.workflowVersion();
  }

  @Override
  public String effect() {
    return job.effect();
  }

  @Override
  public Optional<Map<String, Object>> template() {
    return job.template();
  }

  @Override
  public Optional<String> outputNode() {
    return job.outputNode();
  }

  @Override
  public boolean keepMetadata() {
    return job.keepMetadata();
  }

  @Override
  public List<Asset> assets() {
    return job.assets();
  }

  @Override
  public Path fetch(Asset asset) throws JobFailure, JobStopped, InterruptedException {
    return files.fetch(asset, this);
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public long maxOutputBytes() {
    return maxOutputBytes;
  }

  @Override
  public void progress(int percent, String step, String message) {
    Progress now =
        new Progress(
            Math.clamp(percent, 0, 100),
            Clean.cut(Clean.forOwner(step), ControlPlane.LONGEST_WORDS),
            Clean.forOwner(message));
    if (!told.equals(Optional.of(now))) {
      moved = System.nanoTime();
      told = Optional.of(now);
    }
    lease.progress(now);
  }

  /** How long the work has told of no progress. */
  Duration idle() {
    return Duration.ofNanos(System.nanoTime() - moved);
  }

  @Override
  public Optional<Duration> timeLeft() {
    return job.timeLeft().map(left -> left.minusNanos(System.nanoTime() - started));
  }

  @Override
  public void summary(String key, Object value) {
    lease.summary(key, value);
  }

  @Override
  public boolean stopped() {
    return signal.stopped();
  }

  @Override
  public void pause(Duration duration) throws JobStopped, InterruptedException {
    if (signal.await(duration)) {
      throw new JobStopped();
    }
  }

  @Override
  public Optional<String> note() {
    return note;
  }

  @Override
  public void note(String text) {
    note = Optional.of(text);
    keep();
  }

  /** Remembers the lease, and the note with it. */
  void keep() {
    ObjectNode json = AnswerJson.object();
    job.json().properties().forEach(field -> json.set(field.getKey(), field.getValue()));
    note.ifPresent(text -> json.put(NOTE, text));
    if (!json.has(LeasedJob.LEASED_AT)) {
      json.put(LeasedJob.LEASED_AT, leasedAt);
    }
    memory.lease(attemptId(), json);
  }
}
