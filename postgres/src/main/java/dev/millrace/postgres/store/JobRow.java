package dev.millrace.postgres.store;

import dev.millrace.engine.job.AfterEnd;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Times;
import dev.millrace.engine.job.Tries;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.Price;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job, all of which is in one row: whoever waited for its lock sees the newest of it. */
final class JobRow {

  /** The columns, for a job {@code j}. */
  static final String COLUMNS =
      """
      j.tenant_id, j.id, j.wallet_id, j.effect_id, j.workflow_id, j.state, j.priority, j.events,
          j.progress, j.step, j.message, j.summary, j.attempts, j.failures, j.interruptions,
          j.max_failures, j.max_interruptions, j.funding_seq, j.held, j.hold_open, j.captured,
          j.run_seconds, j.queue_seconds, j.review, j.safety_refund, j.decline_consumes,
          j.price_unit, j.price_rate, j.delivered, j.error_code, j.error_message, j.created_at,
          j.due_at, j.started_at, j.finished_at, j.changed_at, j.overturned_at, j.deleted_at,
          j.deadline_at, j.lease_token, j.worker, j.lease_expires_at, j.provider\
      """;

  private JobRow() {}

  static Job read(ResultSet row) throws SQLException {
    return new Job(
        new JobId(row.getInt("tenant_id"), Rows.uuid(row, "id")),
        facts(row),
        State.ofLabel(row.getString("state")),
        new Job.History(
            row.getInt("events"),
            new Progress(row.getInt("progress"), row.getString("step"), row.getString("message")),
            SummaryJson.read(row.getString("summary"))),
        new Job.Work(
            new Tries(
                row.getInt("attempts"),
                row.getInt("failures"),
                row.getInt("interruptions"),
                row.getInt("max_failures"),
                row.getInt("max_interruptions")),
            lease(row),
            row.getLong("delivered")),
        new Hold(
            row.getInt("funding_seq"),
            row.getLong("held"),
            row.getBoolean("hold_open"),
            row.getLong("captured")),
        times(row),
        new Job.Ending(
            failure(row),
            new AfterEnd(
                Rows.instantOrNull(row, "overturned_at"), Rows.instantOrNull(row, "deleted_at"))));
  }

  private static JobTerms facts(ResultSet row) throws SQLException {
    return new JobTerms(
        row.getLong("wallet_id"),
        row.getInt("effect_id"),
        row.getInt("workflow_id"),
        row.getInt("priority"),
        row.getInt("run_seconds"),
        row.getInt("queue_seconds"),
        new JobTerms.Rules(
            row.getBoolean("review"),
            row.getBoolean("safety_refund"),
            row.getBoolean("decline_consumes"),
            new Price(
                Price.Unit.valueOf(row.getString("price_unit").toUpperCase(Locale.ROOT)),
                row.getLong("price_rate"))));
  }

  private static Times times(ResultSet row) throws SQLException {
    return new Times(
        Rows.instant(row, "created_at"),
        Rows.instant(row, "due_at"),
        Rows.instantOrNull(row, "started_at"),
        Rows.instantOrNull(row, "finished_at"),
        Rows.instantOrNull(row, "deadline_at"),
        Rows.instant(row, "changed_at"));
  }

  private static @Nullable Lease lease(ResultSet row) throws SQLException {
    UUID token = row.getObject("lease_token", UUID.class);
    return token == null
        ? null
        : new Lease(
            token,
            row.getString("worker"),
            Rows.instant(row, "lease_expires_at"),
            row.getString("provider"));
  }

  private static @Nullable Failure failure(ResultSet row) throws SQLException {
    String code = row.getString("error_code");
    return code == null ? null : new Failure(code, row.getString("error_message"));
  }
}
