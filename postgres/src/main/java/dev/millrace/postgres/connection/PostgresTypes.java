package dev.millrace.postgres.connection;

import dev.millrace.engine.port.Store;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.postgres.PostgresPlugin;

/** The types of PostgreSQL for Jdbi, which asks the database for some of them at each handle. */
public final class PostgresTypes extends PostgresPlugin {

  @Override
  public Handle customizeHandle(Handle handle) {
    try {
      return super.customizeHandle(handle);
    } catch (JdbiException | SQLException e) {
      // The handle is not open yet, so nobody else would tell it in the engine's words.
      throw new Store.Unavailable("the database can't be reached", e);
    }
  }
}
