package dev.millrace.postgres.store;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Share;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Locks what nobody else holds, and tells what somebody does. Each statement asks for each row
 * twice: whether it is there, and for its lock; one that is there and gave none is held.
 */
final class FreeLocks {

  private record OwnedWallet(long id, Row row) {}

  private static final Bulk<OwnedWallet> WALLETS =
      new Bulk<OwnedWallet>(
              "wallet_ref",
              """
              select r.id, mine.id is null as held
              from unnest(?::wallet_ref[]) as r
              cross join lateral (
                  select w.id
                  from wallet w
                  where w.id = r.id
                  limit 1) w
              left join lateral (
                  select w.id
                  from wallet w
                  where w.id = r.id
                  for update skip locked) mine on true
              """)
          .column("int8", OwnedWallet::id);

  private static final Bulk<JobId> PAYERS =
      jobs(
          """
          select i.tenant_id, i.id, mine.id is null as held
          from unnest(?::job_key[]) as i
          cross join lateral (
              select j.wallet_id
              from job j
              where (j.tenant_id, j.id) between (i.tenant_id, i.id) and (i.tenant_id, i.id)
              limit 1) j
          left join lateral (
              select w.id
              from wallet w
              where w.id = j.wallet_id
              for update skip locked) mine on true
          """);

  private static final Bulk<JobId> JOBS =
      jobs(
          """
          select i.tenant_id, i.id, mine.id is null as held
          from unnest(?::job_key[]) as i
          cross join lateral (
              select j.id
              from job j
              where (j.tenant_id, j.id) between (i.tenant_id, i.id) and (i.tenant_id, i.id)
              limit 1) j
          left join lateral (
              select j.id
              from job j
              where (j.tenant_id, j.id) between (i.tenant_id, i.id) and (i.tenant_id, i.id)
              for update skip locked) mine on true
          """);

  private static final Bulk<JobId> DISPATCHES =
      jobs(
          """
          select i.tenant_id, i.id, mine.job_id is null as held
          from unnest(?::job_key[]) as i
          cross join lateral (
              select d.job_id
              from dispatch d
              where (d.tenant_id, d.job_id) between (i.tenant_id, i.id) and (i.tenant_id, i.id)
              limit 1) d
          left join lateral (
              select d.job_id
              from dispatch d
              where (d.tenant_id, d.job_id) between (i.tenant_id, i.id) and (i.tenant_id, i.id)
              for update skip locked) mine on true
          """);

  private static final Bulk<Share.Id> SHARES =
      new Bulk<Share.Id>(
              "share_key",
              """
              select k.workflow_id, k.tenant_id, mine.tenant_id is null as held
              from unnest(?::share_key[]) as k
              cross join lateral (
                  select s.tenant_id
                  from share s
                  where s.workflow_id = k.workflow_id
                    and s.tenant_id = k.tenant_id
                  limit 1) s
              left join lateral (
                  select s.tenant_id
                  from share s
                  where s.workflow_id = k.workflow_id
                    and s.tenant_id = k.tenant_id
                  for update skip locked) mine on true
              """)
          .column("int4", Share.Id::workflowId)
          .column("int4", Share.Id::tenant);

  private static final Bulk<Callback.Id> CALLBACKS =
      new Bulk<Callback.Id>(
              "callback_key",
              """
              select k.provider, k.event, mine.event is null as held
              from unnest(?::callback_key[]) as k
              cross join lateral (
                  select b.event
                  from inbox b
                  where b.provider = k.provider
                    and b.event = k.event
                  limit 1) b
              left join lateral (
                  select b.event
                  from inbox b
                  where b.provider = k.provider
                    and b.event = k.event
                  for update skip locked) mine on true
              """)
          .column("text", Callback.Id::provider)
          .column("text", Callback.Id::event);

  private static final Bulk<String> WORKERS =
      new Bulk<String>(
              "worker_key",
              """
              select k.id, mine.id is null as held
              from unnest(?::worker_key[]) as k
              cross join lateral (
                  select w.id
                  from worker w
                  where w.id = k.id
                  limit 1) w
              left join lateral (
                  select w.id
                  from worker w
                  where w.id = k.id
                  for no key update skip locked) mine on true
              """)
          .column("text", id -> id);

  private static Bulk<JobId> jobs(String sql) {
    return new Bulk<JobId>("job_key", sql)
        .column("int4", JobId::tenant)
        .column("uuid", JobId::uuid);
  }

  private final Set<Row> busy = new HashSet<>();
  private final List<OwnedWallet> wallets = new ArrayList<>();
  private final List<JobId> payers = new ArrayList<>();
  private final List<Share.Id> shares = new ArrayList<>();
  private final List<JobId> jobs = new ArrayList<>();
  private final List<Callback.Id> callbacks = new ArrayList<>();
  private final List<String> workers = new ArrayList<>();
  private final int tenantCap;
  private boolean caps;

  /**
   * Sorts the rows by their tables.
   *
   * @param ids of all wallets that are asked for by their owners
   */
  FreeLocks(Set<Row> rows, Map<Wallet.Owner, Long> ids, int tenantCap) {
    this.tenantCap = tenantCap;
    for (Row row : rows) {
      switch (row) {
        case Row.OfWallet(Wallet.Owner owner) ->
            wallets.add(new OwnedWallet(Objects.requireNonNull(ids.get(owner)), row));
        case Row.OfPayer(JobId job) -> payers.add(job);
        case Row.OfShare(Share.Id share) -> shares.add(share);
        case Row.OfJob(JobId job) -> jobs.add(job);
        case Row.OfCallback(Callback.Id callback) -> callbacks.add(callback);
        case Row.OfWorker(String worker) -> workers.add(worker);
        case Row.OfCaps _ -> caps = true;
      }
    }
  }

  Pipeline pipeline() {
    Pipeline pipeline = new Pipeline();
    pipeline
        .read(WALLETS, wallets, row -> held(row, wallet(row.getLong("id"))))
        .read(PAYERS, payers, row -> held(row, new Row.OfPayer(job(row))))
        .read(
            SHARES,
            shares,
            row ->
                held(
                    row,
                    new Row.OfShare(
                        new Share.Id(row.getInt("workflow_id"), row.getInt("tenant_id")))))
        .read(JOBS, jobs, row -> held(row, new Row.OfJob(job(row))))
        .read(DISPATCHES, jobs, row -> held(row, new Row.OfJob(job(row))))
        .read(
            CALLBACKS,
            callbacks,
            row ->
                held(
                    row,
                    new Row.OfCallback(
                        new Callback.Id(row.getString("provider"), row.getString("event")))))
        .read(WORKERS, workers, row -> held(row, new Row.OfWorker(row.getString("id"))));
    if (caps) {
      CapSql.tryLock(pipeline, tenantCap, row -> held(row, new Row.OfCaps()));
    }
    return pipeline;
  }

  /** What somebody else holds, once the statements have run. */
  Set<Row> busy() {
    return busy;
  }

  private void held(ResultSet row, Row what) throws SQLException {
    if (row.getBoolean("held")) {
      busy.add(what);
    }
  }

  private Row wallet(long id) {
    return wallets.stream()
        .filter(wallet -> wallet.id == id)
        .findFirst()
        .map(OwnedWallet::row)
        .orElseThrow();
  }

  private static JobId job(ResultSet row) throws SQLException {
    return new JobId(row.getInt("tenant_id"), Rows.uuid(row, "id"));
  }
}
