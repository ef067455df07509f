package dev.millrace.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.lifecycle.Edge;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.Database;
import dev.millrace.testkit.TestDatabase;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MigrationsPgTest {

  private static final String APPLIED = "select count(*) from flyway_schema_history where success";

  private final TestDatabase place = TestDatabase.create();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void a_new_database_gets_the_schema_and_a_second_start_changes_nothing() {
    open(2).close();
    String applied = place.ask(APPLIED);
    assertThat(place.ask("select count(*) from job")).isEqualTo("0");
    try (Database again = open(2)) {
      assertThat(again.ready()).isTrue();
    }
    assertThat(place.ask(APPLIED)).isEqualTo(applied);
  }

  @Test
  void nodes_that_start_at_once_on_a_new_database_migrate_it_once() throws Exception {
    List<Boolean> ready =
        Crowd.of(
            4,
            i ->
                () -> {
                  try (Database node = open(2)) {
                    return node.ready();
                  }
                });
    assertThat(ready).containsOnly(true).hasSize(4);
    assertThat(place.ask("select count(*) from lifecycle_edge"))
        .isEqualTo(String.valueOf(Lifecycle.edges().size()));
  }

  /** Flyway's own patience ends after less than a minute; to wait for longer here would be long. */
  @Test
  void a_node_waits_for_an_hour_for_another_one_that_migrates() {
    assertThat(Migrations.flyway(place.dataSource()).getConfiguration().getLockRetryCount())
        .isEqualTo(3_600);
  }

  @Test
  void a_database_newer_than_the_program_is_refused_and_left_alone() {
    open(2).close();
    place.execute(
        """
        insert into flyway_schema_history (
            installed_rank, version, description, type, script, checksum, installed_by,
            execution_time, success)
        select max(installed_rank) + 1, '9001', 'later', 'SQL', 'V9001__later.sql', 1, 'x', 1, true
        from flyway_schema_history
        """);
    assertThatThrownBy(() -> open(2).close())
        .isInstanceOf(Migrations.Refused.class)
        .hasMessageContaining("9001")
        .hasMessageContaining("Run a newer Millrace");
  }

  /** What the history of such a database looks like; its tables don't matter. */
  @Test
  void a_database_from_before_the_schema_was_written_in_one_piece_is_refused_and_left_alone() {
    place.execute(
        """
        create table flyway_schema_history (
            installed_rank int primary key, version varchar(50), description varchar(200) not null,
            type varchar(20) not null, script varchar(1000) not null, checksum int,
            installed_by varchar(100) not null, installed_on timestamp not null default now(),
            execution_time int not null, success boolean not null);
        insert into flyway_schema_history (
            installed_rank, version, description, type, script, checksum, installed_by,
            execution_time, success)
        values
            (1, '1', 'foundation', 'SQL', 'V1__foundation.sql', 1, 'x', 1, true),
            (2, '2', 'engine', 'SQL', 'V2__engine.sql', 2, 'x', 1, true),
            (23, '23', 'readiness', 'SQL', 'V23__readiness.sql', 23, 'x', 1, true)
        """);
    assertThatThrownBy(() -> open(2).close())
        .isInstanceOf(Migrations.Refused.class)
        .hasMessageContaining("unreleased version of Millrace")
        .hasMessageContaining("another data folder (MILLRACE_DATA_DIR) or another database")
        .hasNoCause();
    assertThat(place.ask(APPLIED)).isEqualTo("3");
    assertThat(place.ask("select to_regclass('tenant') is null")).isEqualTo("t");
  }

  @Test
  void a_database_whose_files_were_edited_since_is_refused_in_words() {
    open(2).close();
    place.execute("update flyway_schema_history set checksum = 1 where version = '3'");
    assertThatThrownBy(() -> open(2).close())
        .isInstanceOf(Migrations.Refused.class)
        .hasMessageContaining("another file of schema version 3 (tables money)")
        .hasMessageContaining("another database");
  }

  @Test
  void a_database_with_foreign_tables_is_refused_in_words() {
    place.execute("create table job (somebody_elses int)");
    assertThatThrownBy(() -> open(2).close())
        .isInstanceOf(Migrations.Refused.class)
        .hasMessageContaining("could not be migrated");
    assertThat(place.ask("select count(*) from job")).isEqualTo("0");
  }

  @Test
  void the_databases_table_of_edges_is_the_table_in_code() throws Exception {
    open(2).close();
    List<String> stored = new ArrayList<>();
    try (var connection = place.connect();
        var statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select coalesce(from_state::text, 'none'), trigger, to_state from lifecycle_edge")) {
      while (rows.next()) {
        stored.add(text(rows.getString(1), rows.getString(2), rows.getString(3)));
      }
    }
    assertThat(stored)
        .containsExactlyInAnyOrderElementsOf(
            Lifecycle.edges().stream().map(MigrationsPgTest::text).toList());
  }

  private static String text(Edge edge) {
    return text(edge.fromLabel(), edge.trigger().label(), edge.to().label());
  }

  private static String text(String from, String trigger, String to) {
    return from + " -" + trigger + "-> " + to;
  }

  private Database open(int poolSize) {
    return Database.open(
        new Database.Access(place.jdbcUrl(), place.user(), place.password(), poolSize));
  }
}
