package dev.millrace.postgres.store;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Transaction.Item;
import dev.millrace.engine.port.Transaction.KeyScope;
import dev.millrace.engine.port.Transaction.KeyUse;
import dev.millrace.engine.port.Transaction.Recent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Locks jobs, always in the order of their ids, and looks up idempotency keys. */
final class JobSql {

  private static final Bulk<JobId> LOCK =
      new Bulk<JobId>(
              "job_key",
              """
              select %s
              from (
                  select i.tenant_id, i.id
                  from unnest(?::job_key[]) as i
                  order by i.tenant_id, i.id) i
              cross join lateral (
                  select *
                  from job j
                  where (j.tenant_id, j.id) between (i.tenant_id, i.id) and (i.tenant_id, i.id)
                  for update) j
              """
                  .formatted(JobRow.COLUMNS))
          .column("int4", JobId::tenant)
          .column("uuid", JobId::uuid);

  /** A key, and the wallet that its owner has. */
  private record WalletKey(long wallet, KeyScope scope) {}

  /** A request, and the wallet that its owner has. */
  private record WalletRequest(long wallet, Recent recent) {}

  /** Only the index of keys has this order, and sorting is switched off. */
  private static final Bulk<WalletKey> FIND_KEYS =
      new Bulk<WalletKey>(
              "wallet_key",
              """
              select k.n, j.id, j.fingerprint
              from unnest(?::wallet_key[]) with ordinality as k (wallet_id, idempotency_key, n)
              cross join lateral (
                  select j.id, j.fingerprint
                  from job j
                  where j.wallet_id = k.wallet_id
                    and j.idempotency_key between k.idempotency_key and k.idempotency_key
                  order by j.idempotency_key
                  limit 1) j
              """)
          .column("int8", WalletKey::wallet)
          .column("text", key -> key.scope().key());

  /** A wallet's jobs of the last minutes are few, and the index has them newest first. */
  private static final Bulk<WalletRequest> FIND_RECENT =
      new Bulk<WalletRequest>(
              "wallet_request",
              """
              select r.n, j.id
              from unnest(?::wallet_request[]) with ordinality
                  as r (wallet_id, fingerprint, window_millis, n)
              cross join lateral (
                  select j.id
                  from job j
                  where j.wallet_id = r.wallet_id
                    and j.fingerprint = r.fingerprint
                    and j.created_at > clock_timestamp() - r.window_millis * interval '1 ms'
                    and (j.state <= 'completed' or j.state = 'rejected')
                    and j.deleted_at is null
                  order by j.id desc
                  limit 1) j
              """)
          .column("int8", WalletRequest::wallet)
          .column("text", request -> request.recent().fingerprint())
          .column("int8", request -> request.recent().window().toMillis());

  private static final Bulk<JobId> OUTPUTS =
      new Bulk<JobId>(
              "job_key",
              """
              select f.tenant_id, f.job_id, f.id, f.approved
              from unnest(?::job_key[]) as i
              cross join lateral (
                  select j.attempts
                  from job j
                  where (j.tenant_id, j.id) between (i.tenant_id, i.id) and (i.tenant_id, i.id)
                  limit 1) j
              cross join lateral (
                  select f.tenant_id, f.job_id, f.id, f.approved
                  from file f
                  where f.tenant_id = i.tenant_id
                    and f.job_id = i.id
                    and f.attempt = j.attempts
                    and f.kind = 'output'
                  offset 0) f
              """)
          .column("int4", JobId::tenant)
          .column("uuid", JobId::uuid);

  private JobSql() {}

  static void lock(Pipeline pipeline, Set<JobId> ids, Map<JobId, Job> found) {
    pipeline.read(
        LOCK,
        ids,
        row -> {
          Job job = JobRow.read(row);
          found.put(job.id(), job);
        });
  }

  static void findRecent(
      Pipeline pipeline,
      Set<Recent> recents,
      Map<Wallet.Owner, Long> wallets,
      Map<Recent, JobId> found) {
    List<WalletRequest> asked =
        recents.stream()
            .map(recent -> new WalletRequest(wallet(wallets, recent.owner()), recent))
            .toList();
    pipeline.read(
        FIND_RECENT,
        asked,
        row -> {
          Recent recent = asked.get(row.getInt("n") - 1).recent();
          found.put(recent, new JobId(recent.owner().tenant(), Rows.uuid(row, "id")));
        });
  }

  static Map<JobId, List<Item>> outputsOf(Connection connection, Set<JobId> ids)
      throws SQLException {
    Map<JobId, List<Item>> outputs = new HashMap<>();
    OUTPUTS.query(
        connection,
        ids,
        row ->
            outputs
                .computeIfAbsent(
                    new JobId(row.getInt("tenant_id"), Rows.uuid(row, "job_id")),
                    _ -> new ArrayList<>())
                .add(new Item(Rows.uuid(row, "id"), row.getObject("approved", Boolean.class))));
    outputs.values().forEach(items -> items.sort(Comparator.comparing(Item::id)));
    return outputs;
  }

  static void findKeys(
      Pipeline pipeline,
      Set<KeyScope> keys,
      Map<Wallet.Owner, Long> wallets,
      Map<KeyScope, KeyUse> found) {
    List<WalletKey> asked =
        keys.stream().map(key -> new WalletKey(wallet(wallets, key.owner()), key)).toList();
    pipeline.read(
        FIND_KEYS,
        asked,
        row -> {
          KeyScope scope = asked.get(row.getInt("n") - 1).scope();
          JobId job = new JobId(scope.owner().tenant(), Rows.uuid(row, "id"));
          found.put(scope, new KeyUse(job, row.getString("fingerprint")));
        });
  }

  private static long wallet(Map<Wallet.Owner, Long> wallets, Wallet.Owner owner) {
    return Objects.requireNonNull(wallets.get(owner), "a key of somebody who has no wallet");
  }
}
