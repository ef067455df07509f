package dev.millrace.postgres.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.pool.HikariPool;
import dev.millrace.engine.port.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.postgresql.jdbc.PgConnection;

/** A pool that says in the engine's words when there is no connection to be had. */
public final class Pool extends HikariDataSource {

  /** How long to wait for a connection, unless it is known that there is none to be had. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Whoever waits asks so often whether it is in vain; as often the pool tries to connect. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** How long an idle connection may take to say that it is alive. */
  private static final Duration VALIDATION = Duration.ofSeconds(2);

  private final AdmittedConnections source;

  private Pool(HikariConfig config, AdmittedConnections source) {
    super(config);
    this.source = source;
  }

  /**
   * Connects.
   *
   * @throws Store.Unavailable if nobody answers there, or nobody who may be used
   */
  public static Pool open(String name, int connections, AdmittedConnections source) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("millrace-" + name);
    config.setDataSource(source);
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(LOOK.toMillis());
    config.setInitializationFailTimeout(PATIENCE.toMillis());
    config.setValidationTimeout(VALIDATION.toMillis());
    try {
      return new Pool(config, source);
    } catch (HikariPool.PoolInitializationException e) {
      String reason = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
      throw new Store.Unavailable("The database can't be reached: " + reason, e);
    }
  }

  /** Closes all connections that there are, those in use when they come back. */
  public void renew() {
    var pool = getHikariPoolMXBean();
    if (pool != null) {
      pool.softEvictConnections();
    }
  }

  private Connection patiently() throws SQLException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      requireAny();
      try {
        return super.getConnection();
      } catch (SQLTransientConnectionException e) {
        requireAny();
        if (System.nanoTime() - end >= 0) {
          throw e;
        }
      }
    }
  }

  /** Nobody waits while the server lets nobody in and all who were in are gone. */
  private void requireAny() throws SQLException {
    HikariPoolMXBean pool = getHikariPoolMXBean();
    Exception refusal = source.refusal();
    if (refusal != null && pool != null && pool.getTotalConnections() == 0) {
      throw new SQLTransientConnectionException("nobody is let in", refusal);
    }
  }

  /** A connection that was on its way while the database was promoted is in no list to close. */
  @Override
  public Connection getConnection() {
    try {
      for (int i = 0; i <= getMaximumPoolSize(); i++) {
        Connection connection = patiently();
        if (source.isCurrent(connection.unwrap(PgConnection.class))) {
          return connection;
        }
        evictConnection(connection);
      }
      throw new SQLTransientConnectionException("all connections were to the old primary");
    } catch (SQLException e) {
      throw new Store.Unavailable("the database can't be reached: " + e.getMessage(), e);
    }
  }
}
