package dev.millrace.spi.executor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** One attempt at a job, as its executor sees it. */
public interface JobContext {

  /** The job's public id. Stable over attempts. */
  String jobId();

  /** Counts from 1; a number is never used twice for the same job. */
  int attempt();

  /** Always the same for the same job and attempt, also after a restart of the worker. */
  default UUID attemptId() {
    return attemptId(attempt());
  }

  /** The id of this or another attempt at the job. */
  UUID attemptId(int attempt);

  /** The slug of the workflow. */
  String workflow();

  int workflowVersion();

  /** The slug of the effect. */
  String effect();

  /** The workflow's template with the text already put in, if it has one. */
  Optional<Map<String, Object>> template();

  /** The node of the template whose output is wanted, if the workflow names one. */
  Optional<String> outputNode();

  /** Whether the workflow wants outputs to keep what tells how they were made, such as a graph. */
  default boolean keepMetadata() {
    return false;
  }

  /** The files that belong to the input. */
  List<Asset> assets();

  /**
   * Downloads a file of the input, once, and verifies its checksum.
   *
   * @return a file in {@link #folder()}
   */
  Path fetch(Asset asset) throws JobFailure, JobStopped, InterruptedException;

  /** An empty folder for this attempt alone. It is removed with all its content at the end. */
  Path folder();

  /** The most bytes that one output may have. */
  long maxOutputBytes();

  /**
   * Tells whoever watches how far the work is. Cheap and never blocking; the newest wins.
   *
   * @param percent 0 to 100; other values are clamped
   * @param step a short machine-friendly name such as {@code sampling}
   * @param message a short sentence for people
   */
  void progress(int percent, String step, String message);

  /** Adds a small fact to the job's summary; a plain JSON value. */
  void summary(String key, Object value);

  /** True once the work must stop: it was canceled, its lease was lost, or the worker ends. */
  boolean stopped();

  /** Throws if the work must stop. */
  default void check() throws JobStopped {
    if (stopped()) {
      throw new JobStopped();
    }
  }

  /**
   * How much time this attempt has left until the server cuts it off, whatever it does then; empty
   * if the server didn't say.
   */
  default Optional<Duration> timeLeft() {
    return Optional.empty();
  }

  /** Waits, and ends early with an exception if the work must stop. */
  void pause(Duration duration) throws JobStopped, InterruptedException;

  /** What an earlier run of this same attempt noted, before the worker was restarted. */
  Optional<String> note();

  /** Remembers a short text for this attempt, over a restart of the worker. */
  void note(String text);
}
