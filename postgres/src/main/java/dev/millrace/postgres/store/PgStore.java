package dev.millrace.postgres.store;

import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import dev.millrace.postgres.connection.SqlTrouble;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions on PostgreSQL, read committed: what must be steady is locked. */
public final class PgStore implements Store {

  private static final Logger LOG = LoggerFactory.getLogger(PgStore.class);
  private static final int MAX_RUNS = 5;

  /** Longer than an ordinary batch holds a row, shorter than anybody minds. */
  private static final String BRIEFLY = "set local lock_timeout = '200ms'";

  private final DataSource database;
  private final int tenantCap;
  private final String node;
  private final SeenRows known = new SeenRows();

  public PgStore(DataSource database) {
    this(database, 0, "");
  }

  /**
   * A store in which tenants have a cap.
   *
   * @param tenantCap how many jobs of one tenant may run at once; 0 for any number
   * @param node who commits, for those who listen
   */
  public PgStore(DataSource database, int tenantCap, String node) {
    this.database = database;
    this.tenantCap = tenantCap;
    this.node = node;
  }

  @Override
  public <R> R transact(Function<Transaction, R> work) {
    return transact(work, "");
  }

  @Override
  public <R> R transactBriefly(Function<Transaction, R> work) {
    return transact(work, BRIEFLY);
  }

  private <R> R transact(Function<Transaction, R> work, String settings) {
    for (int run = 1; ; run++) {
      try {
        return once(work, settings);
      } catch (SQLException e) {
        SqlTrouble trouble = SqlTrouble.of(e);
        if (trouble == SqlTrouble.COLLIDED && run < MAX_RUNS) {
          continue;
        }
        Optional<Unavailable> unavailable = trouble.unavailable(e);
        throw unavailable.isPresent()
            ? unavailable.get()
            : new RolledBack("the transaction was rolled back: " + e.getSQLState(), e);
      }
    }
  }

  /** An SQLException that leaves here is from before the commit: nothing happened. */
  private <R> R once(Function<Transaction, R> work, String settings) throws SQLException {
    Connection connection = database.getConnection();
    try {
      connection.setAutoCommit(false);
      PgTransaction transaction = new PgTransaction(connection, tenantCap, node, known);
      R result;
      try {
        transaction.set(settings);
        result = work.apply(transaction);
      } catch (PgTransaction.Failed e) {
        rollBack(connection, e);
        throw e.sqlException();
      } catch (RuntimeException | Error e) {
        rollBack(connection, e);
        throw e;
      }
      commit(connection, transaction);
      return result;
    } finally {
      giveBack(connection);
    }
  }

  /** What happened has happened by now; trouble here must not look like a rollback. */
  private static void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.warn("Could not give a connection back", e);
    }
  }

  /** An error that the server tells is one of the writes or of the commit: all is undone. */
  private static void commit(Connection connection, PgTransaction transaction) throws SQLException {
    try {
      transaction.commit();
    } catch (SQLException e) {
      if (e.getSQLState() == null || SqlTrouble.of(e) == SqlTrouble.BROKEN) {
        throw new OutcomeUnknown("the connection broke while committing", e);
      }
      rollBack(connection, e);
      throw e;
    }
  }

  private static void rollBack(Connection connection, Throwable cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }
}
