package dev.millrace.engine.command;

import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Something that happened to a job that exists. */
public sealed interface Report {

  JobId job();

  /** What a lease's holder says. It counts only while the lease is alive. */
  sealed interface ByLease extends Report {
    UUID token();
  }

  /** Still alive; extends the lease. A null progress says nothing new. */
  record Heartbeat(JobId job, UUID token, @Nullable Progress progress, Summary summary)
      implements ByLease {}

  /**
   * The work is done and its outputs are verified.
   *
   * @param charge what to take for it; never more than the hold is taken
   */
  record Complete(JobId job, UUID token, List<OutputFile> outputs, Summary summary, long charge)
      implements ByLease {
    public Complete {
      outputs = List.copyOf(outputs);
      if (outputs.isEmpty()) {
        throw new IllegalArgumentException("completed without an output");
      }
    }
  }

  /**
   * The attempt did not work out.
   *
   * @param retryAfter what the other side asked for, or null
   * @param jitter from 0 to 1, drawn by the caller
   */
  record Fail(
      JobId job,
      UUID token,
      Kind kind,
      Failure failure,
      @Nullable Duration retryAfter,
      double jitter)
      implements ByLease {
    /** Whether another try can help. */
    public enum Kind {
      RETRYABLE,
      PERMANENT,
      SAFETY
    }
  }

  /** The worker has to stop, through no fault of the job. */
  record Requeue(JobId job, UUID token, String reason) implements ByLease {}

  /** The worker stopped because it was asked to. */
  record AcknowledgeCancel(JobId job, UUID token) implements ByLease {}

  /** The owner does not want it any more. */
  record Cancel(JobId job) implements Report {}

  /**
   * A lease seems lost.
   *
   * @param abandoned true if its holder is known to be gone, so that the lease need not run out
   */
  record LoseLease(JobId job, UUID token, boolean abandoned) implements Report {}

  /** A deadline seems to have passed. */
  record MissDeadline(JobId job) implements Report {}

  /** A pending job seems to be due. */
  record Promote(JobId job) implements Report {}

  /** What became of a report. */
  sealed interface Result {

    /** It counted, or changed nothing because it was so already. */
    record Done(Job job) implements Result {}

    /** The lease is not, or no longer, the reporter's. Nothing changed. */
    record StaleLease() implements Result {}

    /** The table has no such edge from here. Nothing changed. */
    record Denied(State state, Trigger trigger) implements Result {}

    /** There is no such job. */
    record Missing() implements Result {}
  }
}
