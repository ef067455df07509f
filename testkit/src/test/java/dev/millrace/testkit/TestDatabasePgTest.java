package dev.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TestDatabasePgTest {

  @Test
  void every_database_is_empty_and_alone() {
    try (var first = TestDatabase.create();
        var second = TestDatabase.create()) {
      first.execute("create table t (n int)");
      assertThat(second.ask("select count(*) from pg_tables where schemaname = 'public'"))
          .isEqualTo("0");
      assertThat(first.ask("show server_version_num")).startsWith("18");
      assertThat(first.ask("show server_encoding")).isEqualTo("UTF8");
    }
  }

  @Test
  void a_copy_has_the_same_rows_and_goes_its_own_way() {
    try (var original = TestDatabase.create()) {
      original.execute("create table t (n int); insert into t values (1), (2)");
      try (var copy = original.copy()) {
        copy.execute("insert into t values (3)");
        assertThat(copy.ask("select sum(n) from t")).isEqualTo("6");
      }
      assertThat(original.ask("select sum(n) from t")).isEqualTo("3");
    }
  }

  @Test
  void a_closed_database_is_gone_even_for_those_connected() throws SQLException {
    var database = TestDatabase.create();
    try (var connection = database.connect()) {
      database.close();
      assertThat(connection.isValid(5)).isFalse();
    }
    assertThatThrownBy(() -> database.connect().close()).hasMessageContaining("does not exist");
  }
}
