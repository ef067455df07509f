package dev.millrace.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.port.Store;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a state means is said once, and whoever asked is told the same everywhere. */
class SqlTroubleTest {

  @ParameterizedTest
  @CsvSource({
    "08006, BROKEN",
    "08001, BROKEN",
    "57P01, BROKEN",
    "57P02, BROKEN",
    "57P03, BROKEN",
    "25P03, BROKEN",
    "53300, REFUSED",
    "53100, REFUSED",
    "53200, REFUSED",
    "58030, REFUSED",
    "25006, REFUSED",
    "57014, REFUSED",
    "55P03, LOCKED",
    "40001, COLLIDED",
    "40P01, COLLIDED",
    "23505, MISTAKEN",
    "22P02, MISTAKEN",
    "42501, MISTAKEN"
  })
  void every_state_means_one_thing(String state, SqlTrouble trouble) {
    assertThat(SqlTrouble.of(new SQLException("", state))).isEqualTo(trouble);
  }

  @Test
  void a_pool_without_a_connection_is_a_database_that_cannot_be_reached() {
    SQLException e = new SQLTransientConnectionException("timeout");
    assertThat(SqlTrouble.of(e).unavailable(e)).get().isInstanceOf(Store.Unavailable.class);
  }

  @Test
  void a_row_that_somebody_holds_is_told_as_such() {
    SQLException e = new SQLException("", "55P03");
    assertThat(SqlTrouble.of(e).unavailable(e)).get().isInstanceOf(Store.Busy.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01"})
  void a_collision_that_nobody_tries_again_is_told_as_others_in_the_way(String state) {
    SQLException e = new SQLException("", state);
    assertThat(SqlTrouble.of(e).unavailable(e)).get().isInstanceOf(Store.Busy.class);
  }

  @Test
  void a_mistake_is_no_trouble_of_the_database() {
    SQLException e = new SQLException("", "22P02");
    assertThat(SqlTrouble.of(e).unavailable(e)).isEmpty();
  }
}
