package dev.millrace.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLState;

/** A pool opens one connection after the other, so none may take long to be let in. */
class AdmittedConnectionsPgTest {

  @Test
  void a_connection_that_falls_silent_while_it_is_let_in_is_given_up_long_before_a_statement_is()
      throws Exception {
    try (TestDatabase place = TestDatabase.create()) {
      AdmittedConnections connections = connections(place);
      place.execute(
          """
          create schema silent;
          create function silent.pg_is_in_recovery() returns boolean language sql
              as 'select pg_sleep(100) is null';
          do $$ begin
              execute format(
                  'alter database %I set search_path = silent, pg_catalog, public',
                  current_database());
          end $$;
          """);
      long begun = System.nanoTime();
      assertThatThrownBy(connections::getConnection)
          .extracting("SQLState")
          .isEqualTo(PSQLState.CONNECTION_FAILURE.getState());
      assertThat(Duration.ofNanos(System.nanoTime() - begun))
          .isLessThan(WaitLimits.RECORDS.socket().dividedBy(2));
    }
  }

  @Test
  void one_that_was_let_in_has_all_the_time_of_its_pool() throws Exception {
    try (TestDatabase place = TestDatabase.create();
        Connection connection = connections(place).getConnection()) {
      assertThat(connection.getNetworkTimeout())
          .isEqualTo((int) WaitLimits.RECORDS.socket().toMillis());
    }
  }

  private static AdmittedConnections connections(TestDatabase place) throws Exception {
    return new AdmittedConnections(
        place.jdbcUrl(), place.user(), place.password(), WaitLimits.RECORDS, new Primary(), "");
  }
}
