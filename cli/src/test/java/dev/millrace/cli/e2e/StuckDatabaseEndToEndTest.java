package dev.millrace.cli.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose database doesn't answer ends all the same, and in time. */
class StuckDatabaseEndToEndTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int ENDED_BY_SIGTERM = 143;

  /** What the server may take, as its default says, and a busy machine's time to see the end. */
  private static final Duration STOP = Duration.ofSeconds(35 + 10);

  @TempDir Path folder;

  @Test
  void a_server_whose_database_is_frozen_ends_in_time_and_leaves_no_process() throws Exception {
    try (Installation installation = new Installation(folder)) {
      RunningServer server = installation.start();
      Client client = server.client();
      for (int i = 0; i < 4; i++) {
        client.draft(30, "frozen-" + i);
      }
      await().atMost(LIMIT).until(() -> client.count("running") == 2);
      for (ProcessHandle process : installation.postgres()) {
        assertThat(new ProcessBuilder("kill", "-STOP", "" + process.pid()).start().waitFor())
            .isZero();
      }
      Thread asking = Thread.ofVirtual().start(() -> ask(client));

      assertThat(server.sigterm(STOP)).as(server.err()).isEqualTo(ENDED_BY_SIGTERM);
      assertThat(server.err()).contains("Stopped. Nothing is lost");
      assertThat(installation.postgres()).isEmpty();
      assertThat(asking.join(LIMIT)).isTrue();

      Client again = installation.start().client();
      await().atMost(LIMIT).until(() -> again.count("running") == 2);
    }
  }

  /** Somebody waits for the frozen database while the server stops. */
  private static void ask(Client client) {
    try {
      client.jobs();
    } catch (Exception | AssertionError _) {
      // Nobody can answer.
    }
  }

  @Test
  void a_server_ends_at_once_while_its_start_waits_for_the_recovery_of_its_database()
      throws Exception {
    try (Installation installation = new Installation(folder)) {
      installation.start().sigterm();
      endlessRecovery(installation.data().resolve("postgres"));

      RunningServer server = installation.launch();
      await().atMost(LIMIT).until(() -> !installation.postgres().isEmpty());

      assertThat(server.sigterm(STOP)).as(server.err()).isEqualTo(ENDED_BY_SIGTERM);
      assertThat(server.err()).contains("the start is given up").contains("Stopped.");
      assertThat(installation.postgres()).isEmpty();
    }
  }

  /** PostgreSQL waits for a log file that nobody brings. */
  private static void endlessRecovery(Path cluster) throws Exception {
    Files.writeString(
        cluster.resolve("postgresql.auto.conf"),
        "restore_command = 'while test -e recovery.signal; do sleep 1; done; false'\n",
        StandardOpenOption.APPEND);
    Path signal = Files.createFile(cluster.resolve("recovery.signal"));
    Files.setOwner(signal, Files.getOwner(cluster));
  }

  @Test
  void a_server_ends_at_once_while_its_start_waits_for_another_nodes_migration() throws Exception {
    try (TestDatabase database = TestDatabase.create();
        Installation installation = new Installation(folder)) {
      installation.set(
          "DATABASE_URL",
          "%s?user=%s&password=%s"
              .formatted(database.jdbcUrl(), database.user(), database.password()));
      installation.start().sigterm();
      try (Connection other = database.connect();
          Statement statement = other.createStatement()) {
        other.setAutoCommit(false);
        statement.execute("lock table flyway_schema_history in access exclusive mode");

        RunningServer server = installation.launch();
        await()
            .atMost(LIMIT)
            .until(() -> "t".equals(database.ask("select bool_or(not granted) from pg_locks")));

        assertThat(server.sigterm(STOP)).as(server.err()).isEqualTo(ENDED_BY_SIGTERM);
        assertThat(server.err()).contains("the start is given up").contains("Stopped.");
      }
    }
  }
}
