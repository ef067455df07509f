package dev.millrace.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** How the driver behaves on these sockets. */
class PromptSocketsPgTest {

  private static final int LOOKS = 3_000;
  private static final int ROUNDS = 3;

  private final TestDatabase place = TestDatabase.create();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void a_look_for_notifications_does_not_wait_for_any() throws Exception {
    try (Connection connection = connect()) {
      PGConnection listening = connection.unwrap(PGConnection.class);
      // With a millisecond each they would take as many; a busy machine has several tries.
      Duration waited = Duration.ofMillis(LOOKS);
      Duration took = looks(listening);
      for (int i = 1; i < ROUNDS && took.compareTo(waited) >= 0; i++) {
        took = looks(listening);
      }
      assertThat(took).isLessThan(waited);
    }
  }

  @Test
  void what_has_come_is_found_and_what_comes_is_waited_for() throws Exception {
    try (Connection connection = connect();
        var statement = connection.createStatement()) {
      PGConnection listening = connection.unwrap(PGConnection.class);
      statement.execute("listen here");
      assertThat(listening.getNotifications()).isEmpty();
      place.execute("select pg_notify('here', 'one')");
      place.execute("select pg_notify('here', 'two')");
      StringBuilder heard = new StringBuilder();
      while (heard.length() < 6) {
        for (PGNotification each : listening.getNotifications(60_000)) {
          heard.append(each.getParameter());
        }
      }
      assertThat(heard).hasToString("onetwo");
      assertThat(listening.getNotifications()).isEmpty();
    }
  }

  private static Duration looks(PGConnection listening) throws SQLException {
    long start = System.nanoTime();
    for (int i = 0; i < LOOKS; i++) {
      assertThat(listening.getNotifications()).isEmpty();
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", place.user());
    properties.setProperty("password", place.password());
    properties.setProperty("socketFactory", PromptSockets.class.getName());
    return DriverManager.getConnection(place.jdbcUrl(), properties);
  }
}
