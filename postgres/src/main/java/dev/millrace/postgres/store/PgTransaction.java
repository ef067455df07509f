package dev.millrace.postgres.store;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Share;
import dev.millrace.engine.port.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;

/** The port's verbs on one connection; each is one or two statements. */
final class PgTransaction implements Transaction {

  private static final String CLOCK = "select clock_timestamp() as now";

  private final Connection connection;
  private final int tenantCap;

  PgTransaction(Connection connection, int tenantCap) {
    this.connection = connection;
    this.tenantCap = tenantCap;
  }

  /** Carries an SQLException through the engine, which knows nothing of SQL. */
  static final class Failed extends RuntimeException {
    private final SQLException sqlException;

    Failed(SQLException cause) {
      super(cause);
      this.sqlException = cause;
    }

    SQLException sqlException() {
      return sqlException;
    }
  }

  private interface Call<R> {
    R run() throws SQLException;
  }

  private static <R> R sql(Call<R> call) {
    try {
      return call.run();
    } catch (SQLException e) {
      throw new Failed(e);
    }
  }

  @Override
  public Map<Wallet.Owner, Wallet> lockWallets(Set<Wallet.Owner> owners) {
    return sql(() -> WalletSql.lock(connection, owners));
  }

  @Override
  public Map<Long, Wallet> lockWalletsOf(Set<JobId> jobs) {
    return sql(() -> WalletSql.lockPayers(connection, jobs));
  }

  @Override
  public Map<KeyScope, KeyUse> findKeys(Set<KeyScope> keys) {
    return sql(() -> JobSql.findKeys(connection, keys));
  }

  @Override
  public OptionalLong payment(long walletId, String key) {
    return sql(() -> WalletSql.payment(connection, walletId, key));
  }

  @Override
  public Map<Recent, JobId> findRecent(Set<Recent> scopes) {
    return sql(() -> JobSql.findRecent(connection, scopes));
  }

  @Override
  public Optional<BatchUse> findBatch(long walletId, String key) {
    return sql(() -> BatchSql.find(connection, walletId, key));
  }

  @Override
  public Map<Share.Key, Share> lockShares(Set<Share.Key> keys) {
    return sql(() -> ShareSql.lock(connection, keys));
  }

  @Override
  public Map<JobId, Job> lockJobs(Set<JobId> ids) {
    return sql(() -> JobSql.lock(connection, ids));
  }

  @Override
  public Map<JobId, List<UUID>> outputsOf(Set<JobId> ids) {
    return sql(() -> JobSql.outputsOf(connection, ids));
  }

  @Override
  public Map<Callback.Id, Callback> lockCallbacks(Set<Callback.Id> ids) {
    return sql(() -> InboxSql.lock(connection, ids));
  }

  @Override
  public Map<String, Integer> lockSlots(SortedSet<String> workers) {
    return sql(() -> SlotSql.lock(connection, workers));
  }

  @Override
  public Caps caps() {
    return sql(() -> CapSql.read(connection, tenantCap));
  }

  @Override
  public List<Claim> claim(SortedMap<Integer, Integer> limits, Full full) {
    return sql(() -> ClaimSql.claim(connection, limits, full));
  }

  @Override
  public Instant now() {
    return sql(() -> {
      try (PreparedStatement statement = connection.prepareStatement(CLOCK)) {
        return Rows.read(statement, row -> Rows.instant(row, "now")).getFirst();
      }
    });
  }

  @Override
  public void write(Changes changes) {
    sql(() -> {
      MoneyWrites.write(connection, changes);
      JobWrites.write(connection, changes);
      HistoryWrites.write(connection, changes);
      BatchSql.write(connection, changes);
      InboxSql.write(connection, changes);
      AuditWrites.write(connection, changes);
      NotifySql.notify(connection, changes);
      return changes;
    });
  }
}
