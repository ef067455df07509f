package dev.millrace.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of its own for a test, on the one real PostgreSQL of this JVM.
 *
 * <p>The server starts with the first database and ends with the JVM. It does not wait for the
 * disk, so nothing here says anything about durability.
 */
public final class TestDatabase implements AutoCloseable {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String name;

  private TestDatabase(String name) {
    this.name = name;
  }

  /** A new database without a table. */
  public static TestDatabase create() {
    return like("template0");
  }

  /** A new database with the same content. Nobody may be connected to this one meanwhile. */
  public TestDatabase copy() {
    return like(name);
  }

  private static TestDatabase like(String template) {
    // Other processes may use the same server.
    String name = "test_%d_%d".formatted(ProcessHandle.current().pid(), COUNT.incrementAndGet());
    TestServer.execute("create database " + name + " template " + template);
    return new TestDatabase(name);
  }

  public String jdbcUrl() {
    return TestServer.jdbcUrl(name);
  }

  public String user() {
    return TestServer.USER;
  }

  public String password() {
    return TestServer.PASSWORD;
  }

  /** A connection outside of any pool, for what a test does behind the program's back. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), user(), password());
  }

  /** Connections outside of any pool; each is a backend that ends when it is closed. */
  public DataSource dataSource() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(jdbcUrl());
    source.setUser(user());
    source.setPassword(password());
    return source;
  }

  /** Runs one or several statements, each committed at once. */
  public void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first column of the first row as text; null if it is null or there is no row. */
  public @Nullable String ask(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : null;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Drops the database, even if somebody is still connected. */
  @Override
  public void close() {
    TestServer.execute("drop database if exists " + name + " with (force)");
  }
}
