package dev.millrace.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.millrace.engine.port.Store;
import java.sql.Connection;
import java.sql.SQLException;

/** A pool that says in the engine's words when there is no connection to be had. */
final class Pool extends HikariDataSource {

  Pool(HikariConfig config) {
    super(config);
  }

  @Override
  public Connection getConnection() {
    try {
      return super.getConnection();
    } catch (SQLException e) {
      throw new Store.Unavailable("the database can't be reached", e);
    }
  }
}
