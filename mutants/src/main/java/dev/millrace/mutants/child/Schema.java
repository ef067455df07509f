package dev.millrace.mutants.child;

import dev.millrace.postgres.schema.Migrations;
import dev.millrace.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The real schema, to ask whether a mutant is a statement at all. */
final class Schema implements AutoCloseable {

  private final TestDatabase database = TestDatabase.create();
  private final Connection connection;

  Schema() throws SQLException {
    Migrations.run(database.dataSource());
    connection = database.connect();
  }

  /** The driver asks the server for the types, which makes it parse and plan the statement. */
  boolean understands(String sql) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.getParameterMetaData();
      statement.getMetaData();
      return true;
    } catch (SQLException _) {
      return false;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    database.close();
  }
}
