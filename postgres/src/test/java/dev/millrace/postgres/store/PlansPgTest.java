package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.SteadyPlans;
import dev.millrace.postgres.jobs.OverdueJobs;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How PostgreSQL runs the hot statements when a queue is long. */
class PlansPgTest {

  private static final List<Class<?>> BATCHED =
      List.of(
          ClaimSql.class,
          HistoryWrites.class,
          InboxSql.class,
          JobSql.class,
          JobWrites.class,
          MoneyWrites.class,
          ShareSql.class,
          SlotSql.class,
          WalletSql.class);

  /** All but those of tables that somebody fills by hand. */
  private static final Pattern SCAN =
      Pattern.compile(
          "(Seq|Index|Only|Heap) Scan (using (?<index>\\w+) )?on (?!workflow|effect)[^\n(]*\\(cost[^\n]*"
              + "(\n *Index Cond: (?<condition>[^\n]*))?");

  private static EngineRig rig;

  @BeforeAll
  static void fill_the_queue() {
    rig = EngineRig.open();
    rig.pay(rig.user("ada"), 1_000_000);
    rig.place().execute(backlog(100_000));
    rig.place().execute("analyze");
  }

  @AfterAll
  static void the_doctor_is_not_asked_because_the_backlog_is_made_up() {
    rig.closeUnexamined();
  }

  @ParameterizedTest
  @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
  void a_claim_reads_its_queue_in_order_and_stops(String mode) throws Exception {
    String plan =
        plan(
            ClaimSql.class,
            "CLAIM",
            "array[row(1, 256), row(2, 256)]::queue_limit[], array[7], array[9]",
            mode);
    assertThat(plan).contains("Index Scan using dispatch_queue");
    assertThat(plan)
        .doesNotContain("Seq Scan on dispatch")
        .doesNotContain("Seq Scan on job")
        .doesNotContain("Seq Scan on job_input");
  }

  @ParameterizedTest
  @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
  void a_long_row_of_jobs_that_may_not_start_is_passed_over_without_reading_them(String mode)
      throws Exception {
    for (String full : new String[] {"array[1], array[]::int[]", "array[]::int[], array[1]"}) {
      String plan =
          plan(
              "analyze, timing off, summary off",
              ClaimSql.class,
              "CLAIM",
              "array[row(1, 256), row(2, 256)]::queue_limit[], " + full,
              mode);
      assertThat(plan).contains("Index Scan using dispatch_queue");
      assertThat(plan)
          .containsPattern("Index Scan using job_pkey on job j [^\n]*\\(never executed\\)");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
  void a_users_keys_and_requests_are_looked_up_within_his_wallet(String mode) throws Exception {
    assertThat(plan(JobSql.class, "FIND_KEYS", "array[row(1, 'key')]::wallet_key[]", mode))
        .containsPattern(
            "Index Scan using job_once_per_key on job j[_1]* [^\n]*\n"
                + " *Index Cond: \\(\\(wallet_id = [^\n]*idempotency_key >= ");
    assertThat(plan(JobSql.class, "FIND_RECENT", "array[row(1, 'f', 9)]::wallet_request[]", mode))
        .containsPattern("Index Cond: \\(wallet_id = ")
        .doesNotContain("Seq Scan on job");
  }

  /**
   * A plan is made for what a table had when it was last looked at, and a queue that was empty then
   * may be long now. So whatever PostgreSQL believes, each row is looked up by its key.
   */
  @ParameterizedTest
  @CsvSource({
    "0, ''",
    "0, vacuum analyze",
    "1, vacuum analyze",
    "5, vacuum analyze",
    "40, vacuum analyze",
    "400, ''"
  })
  void no_statement_of_a_batch_reads_a_whole_table_or_index(int jobs, String look)
      throws Exception {
    EngineRig some = EngineRig.open();
    try {
      some.pay(some.user("ada"), 1_000_000);
      some.place().execute(backlog(jobs));
      some.place().execute(look);
      requireLookUps(some);
    } finally {
      some.closeUnexamined();
    }
  }

  @Test
  void nor_does_one_in_front_of_a_long_queue() throws Exception {
    requireLookUps(rig);
  }

  private static void requireLookUps(EngineRig where) throws Exception {
    String mode = "auto; " + SteadyPlans.SESSION;
    for (Class<?> type : BATCHED) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getType() == Bulk.class) {
          String plan = plan(where, "costs", type, field.getName(), "null", mode);
          assertThat(wholeReads(where, plan))
              .as(type.getSimpleName() + " " + field.getName() + "\n" + plan)
              .isEmpty();
        }
      }
    }
    assertThat(plan(where, "costs", JobSql.class, "FIND_KEYS", "null", mode))
        .contains("Index Scan using job_once_per_key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DUE", "LOST", "MISSED"})
  void a_look_for_what_is_overdue_passes_by_those_who_wait(String statement) throws Exception {
    Field constant = OverdueJobs.class.getDeclaredField(statement);
    constant.setAccessible(true);
    String sql = ((String) constant.get(null)).replace(":limit", "$1");
    assertThat(explain(rig, "analyze, timing off, summary off", sql, "100", "auto"))
        .doesNotContain("Seq Scan on dispatch")
        .doesNotContainPattern("Rows Removed by Filter: [0-9]{2}");
  }

  @Test
  void a_heartbeat_touches_no_index() throws Exception {
    rig.submit(rig.order().effect("sketch").priority(9));
    Leased leased = rig.lease();
    long updates = counted("n_tup_upd");
    long hot = counted("n_tup_hot_upd");
    // A backend hands in its counts when it ends.
    Engine engine = rig.engine(new PgStore(rig.place().dataSource()));
    for (int i = 0; i < 20; i++) {
      engine.report(heartbeat(leased, 50));
    }
    Awaitility.await()
        .until(() -> counted("n_tup_upd") >= updates + 20 && counted("n_tup_hot_upd") >= hot + 20);
  }

  @Test
  void a_heartbeat_leaves_the_dispatch_alone() throws Exception {
    rig.submit(rig.order().effect("sketch").priority(9));
    Leased leased = rig.lease();
    String version =
        "select xmin from dispatch where job_id = '%s'".formatted(leased.job().id().uuid());
    Object before = rig.place().ask(version);
    Job told = rig.report(heartbeat(leased, 50));
    assertThat(Objects.requireNonNull(told.lease()).expiresAt())
        .isAfter(Objects.requireNonNull(leased.job().lease()).expiresAt());
    assertThat(rig.place().ask(version)).isEqualTo(before);
  }

  /** The scans of a plan that are no look-up by the first column of an index. */
  private static List<String> wholeReads(EngineRig where, String plan) {
    List<String> found = new ArrayList<>();
    Matcher scans = SCAN.matcher(plan);
    while (scans.find()) {
      String index = scans.group("index");
      Object first =
          index == null
              ? null
              : where
                  .place()
                  .ask(
                      """
                      select attname
                      from pg_attribute
                      where attrelid = '%s'::regclass
                        and attnum = 1
                      """
                          .formatted(index));
      String condition = Objects.requireNonNullElse(scans.group("condition"), "");
      if (first == null || !condition.matches(".*\\b" + first + "\\b.*")) {
        found.add(scans.group());
      }
    }
    return found;
  }

  private static long counted(String counter) {
    return Long.parseLong(
        String.valueOf(
            rig.place()
                .ask(
                    "select %s from pg_stat_user_tables where relname = 'job'"
                        .formatted(counter))));
  }

  private static String plan(Class<?> type, String field, String rows, String mode)
      throws ReflectiveOperationException, SQLException {
    return plan("costs", type, field, rows, mode);
  }

  private static String plan(String options, Class<?> type, String field, String rows, String mode)
      throws ReflectiveOperationException, SQLException {
    return plan(rig, options, type, field, rows, mode);
  }

  private static String plan(
      EngineRig where, String options, Class<?> type, String field, String rows, String mode)
      throws ReflectiveOperationException, SQLException {
    Field constant = type.getDeclaredField(field);
    constant.setAccessible(true);
    AtomicInteger number = new AtomicInteger();
    String sql =
        Pattern.compile("\\?")
            .matcher(((Bulk<?>) constant.get(null)).sql())
            .replaceAll((MatchResult _) -> "\\$" + number.incrementAndGet());
    String parameters =
        rows.equals("null") ? String.join(", ", Collections.nCopies(number.get(), "null")) : rows;
    return explain(where, options, sql, parameters, mode);
  }

  private static String explain(
      EngineRig where, String options, String sql, String parameters, String mode)
      throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (Connection connection = where.place().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("set plan_cache_mode = " + mode);
      statement.execute("prepare looked_at as " + sql);
      try (ResultSet lines =
          statement.executeQuery(
              "explain (%s) execute looked_at(%s)".formatted(options, parameters))) {
        while (lines.next()) {
          plan.append(lines.getString(1)).append('\n');
        }
      }
    }
    return plan.toString();
  }

  private static String backlog(int jobs) {
    return """
    insert into job (
        tenant_id, id, wallet_id, effect_id, workflow_id, state, priority, events, progress,
        attempts, failures, interruptions, max_failures, max_interruptions, funding_seq, held,
        hold_open, captured, run_seconds, queue_seconds, review, safety_refund, idempotency_key,
        fingerprint, created_at, due_at, changed_at, deadline_at)
    select 1, uuidv7(), 1 + mod(n, 1000), 1, 1, 'queued', 0, 1, 0, 0, 0, 0, 3, 10, 1, 5, true, 0, 600, 3600,
        false, false, 'key-' || n, 'f', now(), now(), now(), now() + interval '1 hour'
    from generate_series(1, %d) as n;
    insert into job_input (tenant_id, job_id, input)
    select tenant_id, id, '{"prompt": "a rig"}'
    from job;
    insert into dispatch (
        tenant_id, job_id, workflow_id, effect_id, state, priority, virtual_start, due_at,
        deadline_at)
    select tenant_id, id, workflow_id, effect_id, state, priority, 5 * row_number() over (), due_at,
        deadline_at
    from job
    """
        .formatted(jobs);
  }
}
