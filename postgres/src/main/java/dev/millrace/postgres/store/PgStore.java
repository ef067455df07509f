package dev.millrace.postgres.store;

import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions on PostgreSQL, read committed: what must be steady is locked. */
public final class PgStore implements Store {

  private static final Logger LOG = LoggerFactory.getLogger(PgStore.class);
  private static final int MAX_RUNS = 5;
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK = "40P01";

  private final DataSource database;
  private final int tenantCap;
  private final String node;
  private final Known known = new Known();

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
    for (int run = 1; ; run++) {
      try {
        return once(work);
      } catch (SQLException e) {
        if (isConnection(e)) {
          throw new Unavailable("the database can't be reached: " + e.getSQLState(), e);
        }
        if (run == MAX_RUNS || !worthAnotherRun(e)) {
          throw new RolledBack("the transaction was rolled back: " + e.getSQLState(), e);
        }
      }
    }
  }

  /** An SQLException that leaves here is from before the commit: nothing happened. */
  private <R> R once(Function<Transaction, R> work) throws SQLException {
    Connection connection = database.getConnection();
    try {
      connection.setAutoCommit(false);
      PgTransaction transaction = new PgTransaction(connection, tenantCap, node, known);
      R result;
      try {
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
      if (e.getSQLState() == null || isBroken(e)) {
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

  private static boolean worthAnotherRun(SQLException e) {
    return SERIALIZATION_FAILURE.equals(e.getSQLState()) || DEADLOCK.equals(e.getSQLState());
  }

  /** Connection failures, or a server that has no room for us (53). */
  private static boolean isConnection(SQLException e) {
    String state = e.getSQLState();
    return isBroken(e) || (state != null && state.startsWith("53"));
  }

  /** Connection failures (08), or a server that shuts down (57P). */
  private static boolean isBroken(SQLException e) {
    String state = e.getSQLState();
    return e instanceof SQLTransientConnectionException
        || (state != null && (state.startsWith("08") || state.startsWith("57P")));
  }
}
