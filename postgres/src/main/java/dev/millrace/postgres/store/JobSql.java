package dev.millrace.postgres.store;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Transaction.KeyScope;
import dev.millrace.engine.port.Transaction.KeyUse;
import dev.millrace.engine.port.Transaction.Recent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Locks jobs, always in the order of their ids, and looks up idempotency keys. */
final class JobSql {

  private static final Bulk<JobId> LOCK =
      new Bulk<JobId>(
              """
              select j.id
              from unnest(?::int[], ?::uuid[]) as i (tenant_id, id)
              join job j using (tenant_id, id)
              order by j.tenant_id, j.id
              for update of j
              """)
          .column("int4", JobId::tenant)
          .column("uuid", JobId::uuid);

  private static final Bulk<JobId> READ =
      new Bulk<JobId>(
              """
              select %s
              from unnest(?::int[], ?::uuid[]) as i (tenant_id, id)
              join job j using (tenant_id, id)
              left join dispatch d on d.tenant_id = j.tenant_id and d.job_id = j.id
              """
                  .formatted(JobRow.COLUMNS))
          .column("int4", JobId::tenant)
          .column("uuid", JobId::uuid);

  private static final Bulk<KeyScope> FIND_KEYS =
      new Bulk<KeyScope>(
              """
              select j.wallet_id, j.idempotency_key, j.tenant_id, j.id, j.fingerprint
              from unnest(?::bigint[], ?::text[]) as k (wallet_id, idempotency_key)
              join job j using (wallet_id, idempotency_key)
              """)
          .column("int8", KeyScope::walletId)
          .column("text", KeyScope::key);

  /** A wallet's jobs of the last minutes are few, and the index has them newest first. */
  private static final Bulk<Recent> FIND_RECENT =
      new Bulk<Recent>(
              """
              select r.wallet_id, r.fingerprint, r.window_millis, j.tenant_id, j.id
              from unnest(?::bigint[], ?::text[], ?::bigint[])
                  as r (wallet_id, fingerprint, window_millis)
              cross join lateral (
                  select j.tenant_id, j.id
                  from job j
                  where j.wallet_id = r.wallet_id
                    and j.fingerprint = r.fingerprint
                    and j.created_at > clock_timestamp() - r.window_millis * interval '1 ms'
                    and j.state <= 'completed'
                    and j.deleted_at is null
                  order by j.id desc
                  limit 1) j
              """)
          .column("int8", Recent::walletId)
          .column("text", Recent::fingerprint)
          .column("int8", r -> r.window().toMillis());

  private static final Bulk<JobId> OUTPUTS =
      new Bulk<JobId>(
              """
              select f.tenant_id, f.job_id, f.id
              from unnest(?::int[], ?::uuid[]) as i (tenant_id, id)
              join job j using (tenant_id, id)
              join file f on f.tenant_id = j.tenant_id and f.job_id = j.id
              where f.attempt = j.attempts
                and f.kind = 'output'
              order by f.job_id, f.id
              """)
          .column("int4", JobId::tenant)
          .column("uuid", JobId::uuid);

  private JobSql() {}

  /**
   * Two statements, because one sees one moment: after a wait it would show the newest job beside
   * the dispatch from before the wait. The second begins when every lock is held.
   */
  static Pipeline lock(Set<JobId> ids, Map<JobId, Job> found) {
    return new Pipeline()
        .read(LOCK, ids, _ -> {})
        .read(
            READ,
            ids,
            row -> {
              Job job = JobRow.read(row);
              found.put(job.id(), job);
            });
  }

  static Map<Recent, JobId> findRecent(Connection connection, Set<Recent> scopes)
      throws SQLException {
    Map<Recent, JobId> found = new HashMap<>();
    FIND_RECENT.query(
        connection,
        scopes,
        row ->
            found.put(
                new Recent(
                    row.getLong("wallet_id"),
                    row.getString("fingerprint"),
                    Duration.ofMillis(row.getLong("window_millis"))),
                new JobId(row.getInt("tenant_id"), Rows.uuid(row, "id"))));
    return found;
  }

  static Map<JobId, List<UUID>> outputsOf(Connection connection, Set<JobId> ids)
      throws SQLException {
    Map<JobId, List<UUID>> outputs = new HashMap<>();
    OUTPUTS.query(
        connection,
        ids,
        row ->
            outputs
                .computeIfAbsent(
                    new JobId(row.getInt("tenant_id"), Rows.uuid(row, "job_id")),
                    _ -> new ArrayList<>())
                .add(Rows.uuid(row, "id")));
    return outputs;
  }

  static Map<KeyScope, KeyUse> findKeys(Connection connection, Set<KeyScope> keys)
      throws SQLException {
    Map<KeyScope, KeyUse> uses = new HashMap<>();
    FIND_KEYS.query(
        connection,
        keys,
        row ->
            uses.put(
                new KeyScope(row.getLong("wallet_id"), row.getString("idempotency_key")),
                new KeyUse(
                    new JobId(row.getInt("tenant_id"), Rows.uuid(row, "id")),
                    row.getString("fingerprint"))));
    return uses;
  }
}
