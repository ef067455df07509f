package dev.millrace.postgres.store;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Transaction.KeyScope;
import dev.millrace.engine.port.Transaction.KeyUse;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

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

  private JobSql() {}

  /**
   * Two statements, because one sees one moment: after a wait it would show the newest job beside
   * the dispatch from before the wait. The second begins when every lock is held.
   */
  static Map<JobId, Job> lock(Connection connection, Set<JobId> ids) throws SQLException {
    LOCK.query(connection, ids, row -> Rows.uuid(row, "id"));
    Map<JobId, Job> jobs = new HashMap<>();
    READ.query(connection, ids, JobRow::read).forEach(job -> jobs.put(job.id(), job));
    return jobs;
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
