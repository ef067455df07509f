package dev.millrace.postgres.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A process of its own that owns a database: it keeps three committed rows and lives until its
 * input ends, it is signalled, or it is killed. What it prints is what {@link ChildJvm} waits for.
 */
final class DatabaseOwner {
  private DatabaseOwner() {}

  public static void main(String[] arguments) throws IOException, SQLException {
    EmbeddedDatabase database;
    try {
      database = EmbeddedDatabase.start(Path.of(arguments[0]), System.out::println);
    } catch (EmbeddedDatabaseException e) {
      System.out.println("REFUSED " + e.getMessage());
      return;
    }
    execute(database, "create table if not exists kept (id int primary key)");
    execute(database, "insert into kept values (1), (2), (3) on conflict do nothing");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(database)));
    System.out.println("READY");
    while (System.in.read() >= 0) {
      // The input carries nothing; only its end counts.
    }
    System.exit(0);
  }

  /** The database must still be there when the application drains, whatever signal ended it. */
  private static void drain(EmbeddedDatabase database) {
    try (database) {
      System.out.println("DRAINED " + countKept(database) + " rows");
    } catch (SQLException e) {
      System.out.println("FAILED " + e);
    }
    System.out.println("CLOSED");
  }

  static int countKept(EmbeddedDatabase database) throws SQLException {
    return Integer.parseInt(query(database, "select count(*) from kept"));
  }

  static void execute(EmbeddedDatabase database, String sql) throws SQLException {
    try (var connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static String query(EmbeddedDatabase database, String sql) throws SQLException {
    try (var connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
