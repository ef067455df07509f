package dev.millrace.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to the server, it comes back by itself, and it can always be stopped. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SupervisionPgTest {

  private static final int KILLS = 8;

  @TempDir Path folder;

  @AfterEach
  void nothing_is_left_running() {
    ChildJvm.assertNothingRunsOn(Cluster.directory(folder));
  }

  private ClusterProcesses processes() {
    return new ClusterProcesses(Cluster.directory(folder));
  }

  private static void awaitRow(EmbeddedDatabase database, int row) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .ignoreExceptionsInstanceOf(SQLException.class)
        .until(() -> inserted(database, row));
  }

  private static boolean inserted(EmbeddedDatabase database, int row) throws SQLException {
    try (var connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        var statement = connection.createStatement()) {
      statement.execute("insert into kept values (%d) on conflict do nothing".formatted(row));
      return true;
    }
  }

  @Test
  void a_postmaster_that_is_killed_again_and_again_comes_back_each_time() throws Exception {
    try (var database = EmbeddedDatabase.start(folder, _ -> {})) {
      DatabaseOwner.execute(database, "create table kept (id int primary key)");
      for (int kill = 1; kill <= KILLS; kill++) {
        var postmaster = processes().postmaster().orElseThrow();
        postmaster.destroyForcibly();
        postmaster.onExit().get(1, TimeUnit.MINUTES);
        awaitRow(database, kill);
      }
      assertThat(DatabaseOwner.query(database, "select count(*) from kept")).isEqualTo("" + KILLS);
    }
  }

  @Test
  void a_backend_that_is_killed_takes_the_server_down_for_a_moment_only() throws Exception {
    try (var database = EmbeddedDatabase.start(folder, _ -> {})) {
      DatabaseOwner.execute(database, "create table kept (id int primary key)");
      long postmaster = processes().postmaster().orElseThrow().pid();
      try (var connection =
              DriverManager.getConnection(
                  database.jdbcUrl(), database.user(), database.password());
          var statement = connection.createStatement();
          var row = statement.executeQuery("select pg_backend_pid()")) {
        row.next();
        ProcessHandle.of(row.getLong(1)).orElseThrow().destroyForcibly();
      }
      awaitRow(database, 1);
      assertThat(processes().postmaster().orElseThrow().pid()).isEqualTo(postmaster);
    }
  }

  @Test
  void a_frozen_server_can_be_stopped() throws Exception {
    var database = EmbeddedDatabase.start(folder, _ -> {});
    for (ProcessHandle process : processes().all()) {
      assertThat(new ProcessBuilder("kill", "-STOP", "" + process.pid()).start().waitFor())
          .isZero();
    }
    database.close();
    assertThat(database.isRunning()).isFalse();
  }

  @Test
  void a_server_that_is_just_starting_again_can_be_stopped() throws Exception {
    var database = EmbeddedDatabase.start(folder, _ -> {});
    var postmaster = processes().postmaster().orElseThrow();
    postmaster.destroyForcibly();
    postmaster.onExit().get(1, TimeUnit.MINUTES);
    database.close();
    assertThat(database.isRunning()).isFalse();
  }
}
