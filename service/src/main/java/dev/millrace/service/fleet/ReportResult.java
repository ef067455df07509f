package dev.millrace.service.fleet;

import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.fleet.HeldLease;
import org.jspecify.annotations.Nullable;

/** What became of a worker's report. */
public sealed interface ReportResult {

  /** What becomes of a heartbeat. */
  sealed interface OfHeartbeat extends ReportResult {}

  /** What becomes of a report that ends an attempt. */
  sealed interface OfEnding extends ReportResult {}

  /** What any report can be refused for. */
  sealed interface Refused extends OfHeartbeat, OfEnding {}

  /** The lease goes on, and this is its job now. */
  record Extended(HeldLease lease, Job job) implements OfHeartbeat {}

  /**
   * The attempt has ended, now or by an earlier report of the same.
   *
   * @param state in which the job is left
   * @param refused why a delivery failed the attempt; null if none did
   * @param summaryKept whether the job has all of the summary that came with the report
   */
  record Ended(State state, @Nullable Failure refused, boolean summaryKept) implements OfEnding {

    Ended(State state) {
      this(state, null, true);
    }
  }

  /** The lease is over, or never was this worker's. Nothing changed. */
  record StaleLease() implements Refused {}

  /** A job in this state has no such end. */
  record Denied(State state) implements Refused {}

  /** The text at this place can't be an output. The lease goes on. */
  record SenselessOutput(int index, String why) implements OfEnding {}

  /** Outputs can't be looked at now. The lease goes on, and the same report may be sent again. */
  record StorageAway() implements OfEnding {}
}
