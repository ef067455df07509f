package dev.millrace.postgres.connection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Finds out whether a connection has a session of its own. A pooler in transaction mode gives it
 * another one for each transaction: what one node set would hold for another, an advisory lock
 * would never be given back, and nobody would ever hear a notification.
 */
public final class SessionCheck {

  /** A pooler may hand its connections out in any order; one round finds the usual ones. */
  private static final int ROUNDS = 4;

  private SessionCheck() {}

  /**
   * Asks over two connections on which nothing has been set.
   *
   * @throws RefusedServer if they don't have sessions of their own
   */
  public static void run(DataSource connections) throws SQLException {
    try (Connection one = connections.getConnection();
        Connection other = connections.getConnection()) {
      for (int round = 0; round < ROUNDS; round++) {
        one.setAutoCommit(true);
        other.setAutoCommit(false);
        int first = backend(one);
        boolean shared = backend(one) != first || backend(other) == first || backend(one) != first;
        other.rollback();
        if (shared) {
          throw new RefusedServer(
              "The address is that of a pooler in transaction mode, which Millrace can't use,"
                  + " because it needs sessions. Use session mode, or the database's own address.");
        }
      }
    }
  }

  private static int backend(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }
}
