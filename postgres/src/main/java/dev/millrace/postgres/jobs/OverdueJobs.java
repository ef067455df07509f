package dev.millrace.postgres.jobs;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.JobId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;

/**
 * Finds what the reaper should look at. It reads without locks, so each find is only a suspicion:
 * the engine checks it again under the row's lock.
 *
 * <p>The clock is a subquery, so that it is read once: PostgreSQL compares no index with a function
 * that may answer otherwise for each row, and would read every job that waits.
 */
public final class OverdueJobs {

  private static final String DUE =
      """
      select tenant_id, job_id, workflow_id
      from dispatch
      where state = 'pending'
        and due_at <= (select clock_timestamp())
      order by due_at
      limit :limit
      """;

  private static final String LOST =
      """
      select d.tenant_id, d.job_id, j.lease_token
      from dispatch d
      join job j on j.tenant_id = d.tenant_id and j.id = d.job_id
      where d.lease_token is not null
        and j.lease_expires_at <= (select clock_timestamp())
      limit :limit
      """;

  /** A job that waits while it is paused, or was just resumed, has its whole queue time again. */
  private static final String MISSED =
      """
      select d.tenant_id, d.job_id
      from dispatch d
      where d.deadline_at <= (select clock_timestamp())
        and (d.state not in ('pending', 'queued') or not exists (
          select 1
          from job j
          join effect e on e.id = j.effect_id
          join workflow w on w.id = j.workflow_id
          where j.tenant_id = d.tenant_id
            and j.id = d.job_id
            and (e.paused_at is not null
              or w.paused_at is not null
              or greatest(e.resumed_at, w.resumed_at)
                  > clock_timestamp() - j.queue_seconds * interval '1 s')))
      order by d.deadline_at
      limit :limit
      """;

  /**
   * Jobs whose time to be canceled has come, by their own wish. Whoever was given more money since
   * lives on. The hours are how far back to look, for most that are found have ended long ago.
   */
  private static final String UNWANTED =
      """
      select i.tenant_id, i.job_id
      from job_input i
      join job j on j.tenant_id = i.tenant_id and j.id = i.job_id
      where i.notes ->> 'cancel_at' is not null
        and i.notes ->> 'cancel_at' <= (
            select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
        and i.notes ->> 'cancel_at' > (
            select to_char(
                (clock_timestamp() - make_interval(hours => :hours)) at time zone 'UTC',
                'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
        and j.state in ('pending', 'queued', 'running', 'submitted', 'waiting_review')
        and j.funding_seq = 1
      limit :limit
      """;

  private static final String ABANDONED =
      """
      select tenant_id, job_id, lease_token
      from dispatch
      where lease_token is not null
        and worker = :worker
      """;

  /** What a service may have is not sent to another one. */
  private static final String TOO_SLOW =
      """
      select d.tenant_id, d.job_id, j.attempts
      from dispatch d
      join job j on j.tenant_id = d.tenant_id and j.id = d.job_id
      where d.workflow_id = :from
        and d.state = 'queued'
        and d.effect_id = :effect
        and d.due_at <= clock_timestamp() - make_interval(secs => :after)
        and j.held <= :most
        and not exists (
            select 1
            from attempt a
            where a.tenant_id = d.tenant_id
              and a.job_id = d.job_id
              and a.provider is not null)
        and not exists (
            select 1
            from effect e
            join workflow w on w.id = :from
            where e.id = :effect
              and (e.paused_at is not null or w.paused_at is not null))
      order by d.priority desc, d.virtual_start, d.job_id
      limit :limit
      """;

  private final Jdbi jdbi;

  public OverdueJobs(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /**
   * A way from one queue to another, for the jobs of one effect.
   *
   * @param after how long they wait before it is open to them
   * @param mostHeld the most credits that one of them may hold
   */
  public record Way(int from, int to, int effect, Duration after, long mostHeld) {}

  /** At most {@code limit} of each kind. */
  public List<Report> find(int limit) {
    return jdbi.withHandle(handle -> {
      List<Report> found = new ArrayList<>();
      found.addAll(
          query(handle, DUE, limit)
              .<Report>map((row, _) -> new Report.Promote(id(row), row.getInt("workflow_id")))
              .list());
      found.addAll(
          query(handle, LOST, limit)
              .<Report>map((row, _) -> new Report.LoseLease(id(row), token(row), false))
              .list());
      found.addAll(
          query(handle, MISSED, limit)
              .<Report>map((row, _) -> new Report.MissDeadline(id(row)))
              .list());
      return found;
    });
  }

  /** Those that wished to be canceled by now. */
  public List<Report> unwanted(int hours, int limit) {
    return jdbi.withHandle(handle ->
        query(handle, UNWANTED, limit)
            .bind("hours", hours)
            .<Report>map((row, _) -> new Report.Cancel(id(row)))
            .list());
  }

  /** The leases of a worker that is known to be gone. */
  public List<Report> abandonedBy(String worker) {
    return jdbi.withHandle(handle ->
        handle
            .createQuery(ABANDONED)
            .bind("worker", worker)
            .<Report>map((row, _) -> new Report.LoseLease(id(row), token(row), true))
            .list());
  }

  /** The jobs that waited so long that they may take this way, those whose turn it is first. */
  public List<Report> tooSlow(Way way, String message, int limit) {
    return jdbi.withHandle(handle ->
        query(handle, TOO_SLOW, limit)
            .bind("from", way.from)
            .bind("effect", way.effect)
            .bind("after", (double) way.after.toSeconds())
            .bind("most", way.mostHeld)
            .<Report>map((row, _) ->
                new Report.Reroute(id(row), way.from, way.to, row.getInt("attempts"), message))
            .list());
  }

  private static Query query(Handle handle, String sql, int limit) {
    return handle.createQuery(sql).bind("limit", limit);
  }

  private static JobId id(ResultSet row) throws SQLException {
    return new JobId(row.getInt("tenant_id"), row.getObject("job_id", UUID.class));
  }

  private static UUID token(ResultSet row) throws SQLException {
    return row.getObject("lease_token", UUID.class);
  }
}
