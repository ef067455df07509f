package dev.millrace.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.engine.port.Store;
import dev.millrace.postgres.Database;
import dev.millrace.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nobody waits for a server that lets nobody in. */
class RefusedConnectionsPgTest {

  private static final Duration AT_ONCE = Duration.ofMillis(1500);

  @Test
  void once_all_connections_are_gone_and_none_can_be_made_everybody_is_told_at_once()
      throws SQLException {
    try (TestDatabase place = TestDatabase.create();
        Database database =
            Database.open(
                new Database.Access(place.jdbcUrl(), place.user(), place.password(), 6))) {
      assertThat(database.ready()).isTrue();
      readOnly(place, true);
      await().atMost(Duration.ofSeconds(20)).until(() -> !isReady(database));
      for (int i = 0; i < 3; i++) {
        long began = System.nanoTime();
        assertThatThrownBy(database::ready).isInstanceOf(Store.Unavailable.class);
        assertThat(database.writeCheck().trouble(Duration.ofSeconds(30))).isPresent();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
      }
      readOnly(place, false);
      await().atMost(Duration.ofSeconds(5)).until(() -> isReady(database));
    }
  }

  private static boolean isReady(Database database) {
    try {
      return database.ready();
    } catch (Store.Unavailable _) {
      return false;
    }
  }

  /** For everybody who connects from now on; and nobody is connected. */
  private static void readOnly(TestDatabase place, boolean on) throws SQLException {
    try (Connection connection = place.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("set default_transaction_read_only = off");
      statement.execute(
          "do $$ begin execute format('alter database %%I set default_transaction_read_only = %s',"
                  .formatted(on ? "on" : "off")
              + " current_database()); end $$");
      statement.execute(
          """
          select pg_terminate_backend(pid)
          from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()
          """);
    }
  }
}
