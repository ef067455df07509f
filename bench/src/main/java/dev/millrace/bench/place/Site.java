package dev.millrace.bench.place;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.embedded.EmbeddedDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;

/** The one PostgreSQL of a run, started by Millrace's own classes with its own settings. */
public final class Site implements AutoCloseable {

  private static final String TEMPLATE = "bench_template";

  private final EmbeddedDatabase postgres;
  private final Stock stock;
  private int databases;

  private Site(EmbeddedDatabase postgres) {
    this.postgres = postgres;
    execute("create database " + TEMPLATE);
    try (Database database = open(TEMPLATE, 16)) {
      this.stock = Stock.fill(database);
    }
  }

  public static Site open(Path folder, Consumer<String> progress) {
    EmbeddedDatabase postgres = EmbeddedDatabase.start(folder, progress);
    try {
      return new Site(postgres);
    } catch (RuntimeException e) {
      postgres.close();
      throw e;
    }
  }

  /** A new database with the usual stock, and a pool of so many connections. */
  public Arena arena(int connections) {
    String name = create(TEMPLATE);
    return new Arena(this, name, open(name, connections), stock);
  }

  /** A new database without a table. */
  public String emptyDatabase() {
    return create("template0");
  }

  private String create(String template) {
    databases++;
    String name = "bench_" + databases;
    execute("create database " + name + " template " + template);
    // What was written before must not be flushed at the cost of what is measured next.
    execute("checkpoint");
    return name;
  }

  public void drop(String database) {
    execute("drop database if exists " + database + " with (force)");
  }

  Database open(String database, int connections) {
    return Database.open(
        new Database.Access(jdbcUrl(database), postgres.user(), postgres.password(), connections));
  }

  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/" + database;
  }

  public int port() {
    return postgres.port();
  }

  public String user() {
    return postgres.user();
  }

  public String password() {
    return postgres.password();
  }

  /** A connection outside of any pool. */
  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database), postgres.user(), postgres.password());
  }

  /** The first number that a query gives. */
  public double ask(String database, String sql) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getDouble(1) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first text that a query gives; empty if there is none. */
  public String read(String database, String sql) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      String text = rows.next() ? rows.getString(1) : null;
      return text == null ? "" : text;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public void execute(String database, String... statements) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void execute(String sql) {
    execute("millrace", sql);
  }

  @Override
  public void close() {
    postgres.close();
  }
}
