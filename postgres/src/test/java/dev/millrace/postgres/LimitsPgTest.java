package dev.millrace.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.port.Store;
import dev.millrace.postgres.connection.AdmittedConnections;
import dev.millrace.postgres.connection.Pool;
import dev.millrace.postgres.connection.Primary;
import dev.millrace.postgres.connection.WaitLimits;
import dev.millrace.postgres.schema.Migrations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every wait on every connection is bounded, and troubles are told in the engine's words. */
class LimitsPgTest {

  private static final String[] BOUNDS = {
    "lock_timeout",
    "statement_timeout",
    "idle_in_transaction_session_timeout",
    "tcp_keepalives_idle",
    "tcp_keepalives_interval",
    "tcp_keepalives_count",
    "tcp_user_timeout",
    "client_connection_check_interval"
  };

  private static final String SUMS =
      """
      select 'frozen' as name, setting::bigint as millis
      from pg_settings
      where name = 'idle_in_transaction_session_timeout'
      union all
      select 'unanswered', setting::bigint
      from pg_settings
      where name = 'tcp_user_timeout'
      union all
      select 'silent', 1000 * (current_setting('tcp_keepalives_idle')::bigint
          + current_setting('tcp_keepalives_interval')::bigint
          * current_setting('tcp_keepalives_count')::bigint)
      """;

  private final EngineRig rig = EngineRig.open();

  @AfterEach
  void close() {
    rig.close();
  }

  private static Map<String, String> inForce(Connection connection) throws SQLException {
    Map<String, String> found = new TreeMap<>();
    try (Statement statement = connection.createStatement()) {
      for (String name : BOUNDS) {
        try (ResultSet row = statement.executeQuery("show " + name)) {
          row.next();
          found.put(name, row.getString(1));
        }
      }
    }
    return found;
  }

  @Test
  void every_pool_has_every_limit_in_force() throws SQLException {
    for (Pool pool : rig.database().pools()) {
      try (Connection connection = pool.getConnection()) {
        assertThat(inForce(connection))
            .as(pool.getPoolName())
            .hasSize(BOUNDS.length)
            .doesNotContainValue("0");
        assertThat(connection.getNetworkTimeout()).as(pool.getPoolName()).isPositive();
      }
    }
  }

  /** The tests below wait for minutes, because a busy machine may be late; the sums are not. */
  @Test
  void what_a_frozen_or_vanished_node_holds_is_free_within_ten_seconds() throws SQLException {
    for (Pool pool : rig.database().pools()) {
      try (Connection connection = pool.getConnection()) {
        Map<String, Duration> bounds = new TreeMap<>();
        try (Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery(SUMS)) {
          while (row.next()) {
            bounds.put(row.getString("name"), Duration.ofMillis(row.getLong("millis")));
          }
        }
        assertThat(bounds)
            .as(pool.getPoolName())
            .hasSize(3)
            .allSatisfy((_, bound) ->
                assertThat(bound).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(10)));
      }
    }
  }

  @Test
  void a_migration_may_take_long_but_waits_for_no_table_for_long() throws SQLException {
    try (Connection connection = admitted(WaitLimits.MIGRATIONS).getConnection()) {
      assertThat(inForce(connection))
          .containsEntry("lock_timeout", "3s")
          .containsEntry("statement_timeout", "0")
          .containsEntry("idle_in_transaction_session_timeout", "0")
          .containsEntry("client_connection_check_interval", "2s")
          .containsEntry("tcp_keepalives_idle", "4");
    }
  }

  private AdmittedConnections admitted(WaitLimits limits) throws SQLException {
    var place = rig.place();
    return new AdmittedConnections(
        place.jdbcUrl(), place.user(), place.password(), limits, new Primary(), "");
  }

  @Test
  void a_node_that_is_frozen_in_a_transaction_loses_its_session_and_its_locks() throws Exception {
    rig.pay(rig.user("ada"), 5);
    Connection frozen = admitted(WaitLimits.ENGINE).getConnection();
    frozen.setAutoCommit(false);
    try (Statement statement = frozen.createStatement()) {
      statement.execute("select 1 from wallet for update");
    }
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() ->
            "0"
                .equals(
                    rig.place()
                        .ask(
                            "select count(*) from pg_stat_activity"
                                + " where datname = current_database()"
                                + " and state = 'idle in transaction'")));
    rig.pay(rig.user("ada"), 5);
    frozen.close();
  }

  @Test
  void a_read_that_waits_for_a_table_is_told_that_somebody_holds_it() throws Exception {
    try (var _ = rig.block("lock table tenant in access exclusive mode")) {
      assertThatThrownBy(() -> rig.database().tenants().ensure("other"))
          .isInstanceOf(Store.Busy.class);
    }
  }

  @Test
  void a_server_that_only_lets_us_read_is_refused() {
    String url = rig.place().jdbcUrl() + "?options=-c%20default_transaction_read_only=on";
    assertThatThrownBy(() ->
            Database.open(new Database.Access(url, rig.place().user(), rig.place().password(), 2)))
        .isInstanceOf(Migrations.Refused.class)
        .hasMessageContaining("only lets us read");
  }

  @Test
  void a_read_whose_connection_is_cut_is_unavailable_and_a_write_is_unknown() {
    var wallets = rig.database().wallets();
    rig.place()
        .execute(
            """
            create function cut() returns trigger language plpgsql as $$
            begin
                perform pg_terminate_backend(pg_backend_pid());
                perform pg_sleep(60);
                return new;
            end $$;
            create trigger cut before insert on tenant for each row execute function cut();
            """);
    assertThatThrownBy(() -> rig.database().tenants().ensure("cut"))
        .isInstanceOfAny(Store.OutcomeUnknown.class, Store.Unavailable.class);
    rig.place().execute("drop trigger cut on tenant");
    assertThat(wallets.balance(rig.acme(), "ada").balance()).isZero();
  }

  @Test
  void whether_a_write_would_succeed_is_found_out_by_writing() {
    assertThat(rig.database().writeCheck().trouble(Duration.ofSeconds(60))).isEmpty();
    rig.place()
        .execute("alter database %s set default_transaction_read_only = on".formatted(name()));
    Awaitility.await()
        .until(() -> {
          // Connections from before may write, also one that was just on its way.
          rig.database().pools().forEach(Pool::renew);
          return rig.database().writeCheck().trouble(Duration.ofSeconds(60)).isPresent();
        });
    rig.place()
        .execute(
            "begin read write; alter database %s reset default_transaction_read_only; commit"
                .formatted(name()));
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> rig.database().writeCheck().trouble(Duration.ofSeconds(60)).isEmpty());
  }

  private String name() {
    return String.valueOf(rig.place().ask("select current_database()"));
  }
}
