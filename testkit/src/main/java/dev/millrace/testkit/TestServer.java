package dev.millrace.testkit;

import dev.millrace.testkit.net.KeptPort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * The one PostgreSQL of this JVM. It stops, and its data goes, when the JVM ends. With {@code
 * -Dmillrace.test.postgres.port=5432} it is one that runs already on this machine, with the same
 * user and password, such as one of another version.
 */
final class TestServer {

  static final String USER = "postgres";
  static final String PASSWORD = "postgres";

  private static final int PORT = Integer.getInteger("millrace.test.postgres.port", 0);

  private static final int SERVING = PORT > 0 ? PORT : start().getPort();

  private TestServer() {}

  static String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:" + SERVING + "/" + database;
  }

  static void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(jdbcUrl(USER), USER, PASSWORD);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static EmbeddedPostgres start() {
    try {
      Path folder = folder();
      System.setProperty("ot.epg.working-dir", folder.toString());
      return EmbeddedPostgres.builder()
          .setDataDirectory(Files.createTempDirectory(folder, "data"))
          .setServerConfig("fsync", "off")
          .setServerConfig("full_page_writes", "off")
          .setServerConfig("max_connections", "200")
          .setPort(KeptPort.next())
          .setPGStartupWait(Duration.ofMinutes(1))
          // Found sooner, so that a test that provokes a deadlock does not wait for a second.
          .setServerConfig("deadlock_timeout", "200ms")
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Within the build's own folder where there is one, so that a clean takes all of it. */
  private static Path folder() throws IOException {
    Path build = Path.of("target").toAbsolutePath();
    return Files.isDirectory(build)
        ? Files.createDirectories(build.resolve("test-postgres"))
        : Files.createTempDirectory("test-postgres");
  }
}
