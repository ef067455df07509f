package dev.millrace.postgres.store;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** Locks wallets, always in the order of their ids. */
final class WalletSql {

  private static final String COLUMNS =
      """
      w.id, w.tenant_id, w.user_id, w.balance, w.active, w.day, w.today, w.active_limit,
          w.daily_limit, w.stored_bytes, w.storage_limit\
      """;

  private static final Bulk<Long> LOCK =
      new Bulk<Long>(
              "wallet_ref",
              """
              select %s
              from (
                  select r.id
                  from unnest(?::wallet_ref[]) as r
                  order by r.id) r
              cross join lateral (
                  select *
                  from wallet w
                  where w.id = r.id
                  for update) w
              """
                  .formatted(COLUMNS))
          .column("int8", id -> id);

  private static final Bulk<Wallet.Owner> FIND =
      new Bulk<Wallet.Owner>(
              "wallet_owner",
              """
              select w.id, w.tenant_id, w.user_id
              from unnest(?::wallet_owner[]) as o
              cross join lateral (
                  select w.id, w.tenant_id, w.user_id
                  from wallet w
                  where w.tenant_id = o.tenant_id
                    and w.user_id = o.user_id
                  limit 1) w
              """)
          .column("int4", Wallet.Owner::tenant)
          .column("text", Wallet.Owner::user);

  /**
   * Makes the wallets of new users. It comes before any lock is held: an insert waits for another
   * node that makes the same wallet, and that node may go on to lock what we hold.
   */
  private static final Bulk<Wallet.Owner> CREATE_MISSING =
      new Bulk<Wallet.Owner>(
              "wallet_owner",
              """
              insert into wallet (tenant_id, user_id)
              select o.tenant_id, o.user_id
              from unnest(?::wallet_owner[]) as o
              where not exists (
                  select 1
                  from wallet w
                  where w.tenant_id = o.tenant_id
                    and w.user_id = o.user_id)
              order by o.tenant_id, o.user_id
              on conflict do nothing
              """)
          .column("int4", Wallet.Owner::tenant)
          .column("text", Wallet.Owner::user);

  private static final Bulk<JobId> LOCK_PAYERS =
      new Bulk<JobId>(
              "job_key",
              """
              select %s
              from (
                  select distinct j.wallet_id
                  from unnest(?::job_key[]) as i
                  cross join lateral (
                      select j.wallet_id
                      from job j
                      where (j.tenant_id, j.id) between (i.tenant_id, i.id) and (i.tenant_id, i.id)
                      limit 1) j
                  order by j.wallet_id) p
              cross join lateral (
                  select *
                  from wallet w
                  where w.id = p.wallet_id
                  for update) w
              """
                  .formatted(COLUMNS))
          .column("int4", JobId::tenant)
          .column("uuid", JobId::uuid);

  /**
   * A line with a key has no job, which tells PostgreSQL to look in one partition only. Only the
   * index of keys has the order.
   */
  private static final String PAYMENT =
      """
      select amount
      from ledger
      where wallet_id = ?
        and key between ? and ?
        and job_id is null
      order by key
      limit 1
      """;

  private WalletSql() {}

  /** Finds the wallets of these owners, and makes those that do not exist yet. */
  static void make(Pipeline pipeline, Set<Wallet.Owner> owners, Map<Wallet.Owner, Long> ids) {
    pipeline
        .write(CREATE_MISSING, owners)
        .read(FIND, owners, row -> ids.put(owner(row), row.getLong("id")));
  }

  static void lock(Pipeline pipeline, Collection<Long> ids, Consumer<Wallet> found) {
    pipeline.read(LOCK, ids, row -> found.accept(wallet(row)));
  }

  static void lockPayers(Pipeline pipeline, Set<JobId> jobs, Consumer<Wallet> found) {
    pipeline.read(LOCK_PAYERS, jobs, row -> found.accept(wallet(row)));
  }

  static OptionalLong payment(Connection connection, long walletId, String key)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PAYMENT)) {
      statement.setLong(1, walletId);
      statement.setString(2, key);
      statement.setString(3, key);
      return Rows.read(statement, row -> row.getLong("amount")).stream()
          .mapToLong(Long::longValue)
          .findFirst();
    }
  }

  private static Wallet.Owner owner(ResultSet row) throws SQLException {
    return new Wallet.Owner(row.getInt("tenant_id"), row.getString("user_id"));
  }

  private static Wallet wallet(ResultSet row) throws SQLException {
    return new Wallet(
        row.getLong("id"),
        owner(row),
        row.getLong("balance"),
        new QuotaUse(
            row.getInt("active"),
            row.getLong("day"),
            row.getInt("today"),
            row.getLong("stored_bytes"),
            new QuotaUse.Limits(
                row.getObject("active_limit", Integer.class),
                row.getObject("daily_limit", Integer.class),
                row.getObject("storage_limit", Long.class))));
  }
}
