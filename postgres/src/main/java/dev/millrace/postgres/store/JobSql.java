package dev.millrace.postgres.store;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Transaction.KeyScope;
import dev.millrace.engine.port.Transaction.KeyUse;
import dev.millrace.engine.port.Transaction.Recent;
import java.sql.Connection;
import java.sql.ResultSet;
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
              "job_key",
              """
              select j.id
              from unnest(?::job_key[]) as i
              join job j using (tenant_id, id)
              order by j.tenant_id, j.id
              for update of j
              """)
          .column("int4", JobId::tenant)
          .column("uuid", JobId::uuid);

  private static final Bulk<JobId> READ =
      new Bulk<JobId>(
              "job_key",
              """
              select %s
              from unnest(?::job_key[]) as i
              join job j using (tenant_id, id)
              left join dispatch d on d.tenant_id = j.tenant_id and d.job_id = j.id
              """
                  .formatted(JobRow.COLUMNS))
          .column("int4", JobId::tenant)
          .column("uuid", JobId::uuid);

  /**
   * Wallet first, then its key: a plain join may be turned around, and reads every job there is.
   */
  private static final Bulk<KeyScope> FIND_KEYS =
      new Bulk<KeyScope>(
              "own_key",
              """
              select k.tenant_id, k.user_id, k.idempotency_key, j.id, j.fingerprint
              from unnest(?::own_key[]) as k
              cross join lateral (
                  select j.id, j.idempotency_key, j.fingerprint
                  from job j
                  where j.wallet_id = (
                          select w.id
                          from wallet w
                          where w.tenant_id = k.tenant_id
                            and w.user_id = k.user_id)
                    and j.idempotency_key >= k.idempotency_key
                  order by j.wallet_id, j.idempotency_key
                  limit 1) j
              where j.idempotency_key = k.idempotency_key
              """)
          .column("int4", scope -> scope.owner().tenant())
          .column("text", scope -> scope.owner().user())
          .column("text", KeyScope::key);

  /** A wallet's jobs of the last minutes are few, and the index has them newest first. */
  private static final Bulk<Recent> FIND_RECENT =
      new Bulk<Recent>(
              "own_request",
              """
              select r.tenant_id, r.user_id, r.fingerprint, r.window_millis, j.id
              from unnest(?::own_request[]) as r
              cross join lateral (
                  select j.id
                  from job j
                  where j.wallet_id = (
                          select w.id
                          from wallet w
                          where w.tenant_id = r.tenant_id
                            and w.user_id = r.user_id)
                    and j.fingerprint = r.fingerprint
                    and j.created_at > clock_timestamp() - r.window_millis * interval '1 ms'
                    and j.state <= 'completed'
                    and j.deleted_at is null
                  order by j.id desc
                  limit 1) j
              """)
          .column("int4", recent -> recent.owner().tenant())
          .column("text", recent -> recent.owner().user())
          .column("text", Recent::fingerprint)
          .column("int8", recent -> recent.window().toMillis());

  private static final Bulk<JobId> OUTPUTS =
      new Bulk<JobId>(
              "job_key",
              """
              select f.tenant_id, f.job_id, f.id
              from unnest(?::job_key[]) as i
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
  static void lock(Pipeline pipeline, Set<JobId> ids, Map<JobId, Job> found) {
    pipeline
        .read(LOCK, ids, _ -> {})
        .read(
            READ,
            ids,
            row -> {
              Job job = JobRow.read(row);
              found.put(job.id(), job);
            });
  }

  static void findRecent(Pipeline pipeline, Set<Recent> scopes, Map<Recent, JobId> found) {
    pipeline.read(
        FIND_RECENT,
        scopes,
        row -> {
          Wallet.Owner owner = owner(row);
          Duration window = Duration.ofMillis(row.getLong("window_millis"));
          found.put(
              new Recent(owner, row.getString("fingerprint"), window),
              new JobId(owner.tenant(), Rows.uuid(row, "id")));
        });
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

  static void findKeys(Pipeline pipeline, Set<KeyScope> keys, Map<KeyScope, KeyUse> found) {
    pipeline.read(
        FIND_KEYS,
        keys,
        row -> {
          Wallet.Owner owner = owner(row);
          found.put(
              new KeyScope(owner, row.getString("idempotency_key")),
              new KeyUse(
                  new JobId(owner.tenant(), Rows.uuid(row, "id")), row.getString("fingerprint")));
        });
  }

  private static Wallet.Owner owner(ResultSet row) throws SQLException {
    return new Wallet.Owner(row.getInt("tenant_id"), row.getString("user_id"));
  }
}
