package dev.millrace.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.port.Signal;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.connection.Pool;
import dev.millrace.postgres.connection.Primary;
import dev.millrace.postgres.embedded.EmbeddedDatabase;
import dev.millrace.postgres.schema.Migrations;
import dev.millrace.testkit.net.TcpSwitch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two real servers with the same history, of which the second was promoted, and an address behind
 * which now the one is and now the other.
 */
class OldPrimaryPgTest {

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private EmbeddedDatabase old;

  @SuppressWarnings("NullAway.Init")
  private EmbeddedDatabase promoted;

  @SuppressWarnings("NullAway.Init")
  private TcpSwitch network;

  @SuppressWarnings("NullAway.Init")
  private Database database;

  @BeforeEach
  void promote_a_copy() throws Exception {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    old = EmbeddedDatabase.start(first, _ -> {});
    Database.open(access(old.jdbcUrl())).close();
    old.close();
    run("cp", "-a", first.toString(), second.toString());
    Path copy = second.resolve("postgres");
    Files.writeString(
        copy.resolve("postgresql.conf"),
        "\nrestore_command = '/bin/false'\n",
        StandardOpenOption.APPEND);
    run("touch", "--reference=" + copy.resolve("PG_VERSION"), copy.resolve("recovery.signal") + "");
    run("chown", "--reference=" + copy.resolve("PG_VERSION"), copy.resolve("recovery.signal") + "");
    old = EmbeddedDatabase.start(first, _ -> {});
    promoted = EmbeddedDatabase.start(second, _ -> {});
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> "f".equals(ask(promoted, "select pg_is_in_recovery()")));
    network = new TcpSwitch(old.port());
    database = Database.open(access("jdbc:postgresql://127.0.0.1:" + network.port() + "/millrace"));
  }

  @AfterEach
  void close() {
    database.close();
    network.close();
    old.close();
    promoted.close();
  }

  private Database.Access access(String url) {
    return new Database.Access(url, old.user(), old.password(), 8);
  }

  private static void run(String... words) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder(words).start().waitFor()).as("%s", words[0]).isZero();
  }

  private static String ask(EmbeddedDatabase server, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private void turnTo(EmbeddedDatabase server) {
    network.turnTo(server.port());
    network.cutAll();
  }

  private void awaitTenant(String name) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptions()
        .until(() -> database.tenants().ensure(name) > 0);
  }

  /** The first ones meet a connection that was cut; none of them may succeed. */
  private void awaitRefusal(String reason) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() ->
            assertThatThrownBy(() -> database.tenants().ensure("lost"))
                .isInstanceOf(Store.Unavailable.class)
                .hasStackTraceContaining(reason));
  }

  @Test
  void an_old_primary_that_comes_back_is_refused_on_every_pool() throws Exception {
    Queue<Signal> heard = new ConcurrentLinkedQueue<>();
    try (var _ = database.wakeups().listen(heard::add)) {
      awaitTenant("before");
      turnTo(promoted);
      awaitTenant("after");
      assertThat(ask(promoted, "select count(*) from tenant where slug = 'after'")).isEqualTo("1");
      turnTo(old);
      awaitRefusal("old primary");
      assertThatThrownBy(() -> database.store().transact(tx -> tx.now()))
          .isInstanceOf(Store.Unavailable.class);
      assertThat(database.writeCheck().trouble(Duration.ofSeconds(30))).isPresent();
      assertThat(ask(old, "select count(*) from tenant where slug = 'lost'")).isEqualTo("0");
      turnTo(promoted);
      heard.clear();
      awaitTenant("again");
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> heard.contains(Signal.EVERYTHING));
    }
  }

  @Test
  void a_node_that_starts_while_the_address_leads_to_the_old_primary_knows_the_new_one()
      throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:" + network.port() + "/millrace";
    Path file = folder.resolve("node").resolve("primary");
    turnTo(promoted);
    Database.open(access(url), Primary.remembered(file, url)).close();
    turnTo(old);
    assertThatThrownBy(() -> Database.open(access(url), Primary.remembered(file, url)))
        .isInstanceOf(Migrations.Refused.class)
        .hasMessageContaining("an old primary")
        .hasMessageContaining("delete " + file);
    Database.open(access(url), Primary.remembered(file, url + "?another")).close();
  }

  @Test
  void once_the_new_primary_is_seen_no_connection_to_the_old_one_is_used() throws Exception {
    awaitTenant("before");
    network.turnTo(promoted.port());
    Pool engine = database.pools().getLast();
    // One connection is renewed, as it happens now and then; all others are still to the old one.
    engine.evictConnection(engine.getConnection());
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(timeline(engine)).isEqualTo("00000002"));
    for (int i = 0; i < 20; i++) {
      for (Pool pool : database.pools()) {
        assertThat(timeline(pool)).isEqualTo("00000002");
      }
    }
  }

  private static String timeline(Pool pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)")) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void another_database_at_the_same_address_is_refused() throws Exception {
    awaitTenant("before");
    try (EmbeddedDatabase stranger = EmbeddedDatabase.start(folder.resolve("third"), _ -> {})) {
      String alter = "alter role millrace password '%s'".formatted(old.password());
      try (Connection connection =
              DriverManager.getConnection(
                  stranger.jdbcUrl(), stranger.user(), stranger.password());
          Statement statement = connection.createStatement()) {
        statement.execute(alter);
      }
      turnTo(stranger);
      awaitRefusal("another database system");
    }
  }
}
