package dev.millrace.spi.executor;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs jobs of one kind. Found by {@link java.util.ServiceLoader}, so it needs a public constructor
 * without parameters. It is called from several threads at once if the worker has several slots.
 */
public interface Executor {

  /** The provider name under which jobs ask for it: lower case letters, digits and dashes. */
  String name();

  /** False while it can't do anything, so that the worker leaves the jobs to others meanwhile. */
  default boolean ready() throws InterruptedException {
    return true;
  }

  /**
   * Why it can't do anything now, in a few words for the operator; empty while it can. It is asked
   * every few seconds, also while jobs run, and never twice at once.
   */
  default Optional<String> trouble() throws InterruptedException {
    return ready() ? Optional.empty() : Optional.of("isn't ready");
  }

  /**
   * Does the work of one attempt, on the calling thread.
   *
   * <p>The thread is interrupted when the work must stop; an executor tidies up and then throws
   * {@link JobStopped} or lets the interruption through. An exception that is neither a {@link
   * JobFailure} nor a stop is a retryable failure.
   *
   * @param input the job's resolved input: plain JSON values by property
   * @return at least one output
   */
  List<Produced> handle(JobContext job, Map<String, Object> input)
      throws JobFailure, JobStopped, InterruptedException;
}
