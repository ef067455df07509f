package dev.millrace.postgres.connection;

import dev.millrace.engine.port.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jdbi.v3.core.ConnectionFactory;

/**
 * Lets in as many readers as a pool has connections, in the order in which they came. With hundreds
 * of virtual threads at the pool itself, those who give a connection back spin until somebody takes
 * it, and some of those who wait are overtaken until they give up.
 */
public final class FairGate implements ConnectionFactory {

  private final DataSource pool;
  private final Semaphore free;
  private final long patienceMillis;

  public FairGate(DataSource pool, int connections, long patienceMillis) {
    this.pool = pool;
    this.free = new Semaphore(connections, true);
    this.patienceMillis = patienceMillis;
  }

  @Override
  public Connection openConnection() throws SQLException {
    enter();
    try {
      return pool.getConnection();
    } catch (SQLException | RuntimeException e) {
      free.release();
      throw e;
    }
  }

  private void enter() {
    try {
      if (!free.tryAcquire(patienceMillis, TimeUnit.MILLISECONDS)) {
        throw new TimeoutException("no connection in %d ms".formatted(patienceMillis));
      }
    } catch (TimeoutException e) {
      throw new Store.Unavailable("all connections to the database are in use", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Store.Unavailable("interrupted while waiting for a connection", e);
    }
  }

  @Override
  public void closeConnection(Connection connection) throws SQLException {
    try {
      connection.close();
    } finally {
      free.release();
    }
  }
}
