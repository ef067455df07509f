package dev.millrace.postgres.history;

import static dev.millrace.postgres.EngineRig.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.EngineRig;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.YearMonth;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every month has a place before it comes, and a job's rows are all in the one of its id. */
class MonthsPgTest {

  private final EngineRig rig = EngineRig.open();
  private final History history = rig.database().history();
  private final YearMonth next = history.month().plusMonths(1);

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_job_of_a_coming_month_lands_in_the_partition_of_that_month() throws Exception {
    rig.pay(rig.user("ada"), 10);
    assertPlaces(rig.submit(rig.order().in(next)), name("job_event", next), name("ledger", next));
    assertPlaces(rig.submit(rig.order()), "job_event_first", "ledger_default");
  }

  @Test
  void the_last_millisecond_of_a_month_and_the_first_of_the_next_are_apart_and_leased_together()
      throws Exception {
    UUID bound = Partition.bound(next.plusMonths(1));
    UUID last =
        new UUID(bound.getMostSignificantBits() - 0x1_0000L | 0xfff, -1L >>> 2 | Long.MIN_VALUE);
    rig.pay(rig.user("ada"), 10);
    Job before = rig.submit(rig.order().id(last));
    Job after = rig.submit(rig.order().id(bound));
    List<Leased> leased = rig.engine().lease(rig.asking("worker-1", 2));
    assertThat(leased).extracting(each -> each.job().id()).containsExactly(before.id(), after.id());
    for (Leased each : leased) {
      rig.report(complete(each, 5));
    }
    assertPlaces(before, name("job_event", next), name("ledger", next));
    assertPlaces(after, name("job_event", next.plusMonths(1)), name("ledger", next.plusMonths(1)));
  }

  @Test
  void the_months_to_come_are_made_once_however_many_nodes_try() throws Exception {
    List<List<String>> made = Crowd.of(4, _ -> () -> history.ensureAhead(4));
    assertThat(made.stream().flatMap(List::stream))
        .containsExactlyInAnyOrder(
            name("ledger", next.plusMonths(2)),
            name("ledger", next.plusMonths(3)),
            name("job_event", next.plusMonths(2)),
            name("job_event", next.plusMonths(3)));
    assertThat(history.ensureAhead(4)).isEmpty();
    rig.pay(rig.user("ada"), 5);
    YearMonth far = next.plusMonths(3);
    assertPlaces(rig.submit(rig.order().in(far)), name("job_event", far), name("ledger", far));
  }

  @Test
  void a_month_that_the_default_partition_has_rows_of_is_left_there() throws Exception {
    YearMonth early = next.plusMonths(2);
    rig.pay(rig.user("ada"), 10);
    assertPlaces(rig.submit(rig.order().in(early)), "job_event_default", "ledger_default");

    assertThat(history.ensureAhead(4))
        .containsExactly(name("ledger", next.plusMonths(3)), name("job_event", next.plusMonths(3)));
    assertPlaces(rig.submit(rig.order().in(early)), "job_event_default", "ledger_default");
  }

  @Test
  void a_constraint_that_a_dying_node_left_is_lifted() throws Exception {
    rig.place()
        .execute(
            "alter table ledger_default add constraint coming_month check (job_id is null) not valid");
    history.ensureAhead(2);
    rig.pay(rig.user("ada"), 5);
    rig.submit(rig.order());
  }

  @Test
  void who_reads_the_ledger_delays_a_new_month_and_not_the_jobs() throws Exception {
    rig.pay(rig.user("ada"), 5);
    try (EngineRig.Blocker _ = rig.block("select count(*) from ledger")) {
      assertThat(history.ensureAhead(3)).containsExactly(name("job_event", next.plusMonths(2)));
      rig.submit(rig.order());
    }
    assertThat(history.ensureAhead(3)).containsExactly(name("ledger", next.plusMonths(2)));
  }

  @Test
  void the_database_and_the_program_agree_on_the_first_id_of_a_month() {
    for (int year = 2024; year < 2040; year++) {
      YearMonth month = YearMonth.of(year, 3);
      assertThat(rig.place().ask("select first_uuid('%s-01T00:00:00Z')".formatted(month)))
          .isEqualTo(Partition.bound(month).toString());
    }
    assertThat(rig.place().ask("select first_uuid('2027-03-01T00:00:00.001999Z')"))
        .isEqualTo(rig.place().ask("select first_uuid('2027-03-01T00:00:00.001Z')"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
  void events_of_one_job_are_looked_for_in_one_partition(String mode) throws Exception {
    String id = Partition.bound(next).toString();
    String plan =
        plan(sql("dev.millrace.postgres.history.Events", "AFTER"), mode, "1", id, "0", "9");
    assertThat(plan)
        .contains(name("job_event", next))
        .doesNotContain("job_event_first")
        .doesNotContain("job_event_default")
        .doesNotContain(name("job_event", next.plusMonths(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
  void a_payment_is_looked_for_among_the_lines_of_no_job(String mode) throws Exception {
    String plan =
        plan(sql("dev.millrace.postgres.store.WalletSql", "PAYMENT"), mode, "1", "k", "k");
    assertThat(plan).contains("ledger_default").doesNotContain(name("ledger", next));
  }

  private void assertPlaces(Job job, String events, String ledger) {
    String places =
        "select string_agg(distinct tableoid::regclass::text, ',') from %s where job_id = '%s'";
    UUID id = job.id().uuid();
    assertThat(rig.place().ask(places.formatted("job_event", id))).isEqualTo(events);
    assertThat(rig.place().ask(places.formatted("ledger", id))).isEqualTo(ledger);
  }

  private static String sql(String type, String field) throws ReflectiveOperationException {
    Field constant = Class.forName(type).getDeclaredField(field);
    constant.setAccessible(true);
    return String.valueOf(constant.get(null));
  }

  private String plan(String sql, String mode, String... values) throws Exception {
    String numbered = sql;
    for (int i = 1; i <= values.length; i++) {
      numbered = numbered.replaceFirst(":[a-z]+|\\?", "\\$" + i);
    }
    StringBuilder plan = new StringBuilder();
    try (Connection connection = rig.place().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("set plan_cache_mode = " + mode);
      statement.execute("prepare looked_at as " + numbered);
      String explain = "explain execute looked_at('" + String.join("', '", values) + "')";
      try (ResultSet lines = statement.executeQuery(explain)) {
        while (lines.next()) {
          plan.append(lines.getString(1)).append('\n');
        }
      }
    }
    return plan.toString();
  }

  private static String name(String table, YearMonth month) {
    return ComingMonths.name(table, month);
  }
}
