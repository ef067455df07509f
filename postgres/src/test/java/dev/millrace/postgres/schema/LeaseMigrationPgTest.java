package dev.millrace.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.doctor.LawFinding;
import dev.millrace.testkit.TestDatabase;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Until version 18 leases were in the dispatch, and events were found by their tenant first. */
class LeaseMigrationPgTest {

  private static final String JOB = "01990000-0000-7000-8000-000000000001";
  private static final String TOKEN = "4f6f2c9e-58c1-4d3a-9a51-0d4c7a1f7a11";

  /** One job that a worker holds for another hour. */
  private static final String LIFE =
      """
      insert into tenant (slug) values ('acme');
      insert into workflow (slug, version, executor) values ('sketch', 1, 'worker');
      insert into effect (slug, workflow_id, credits_cost) values ('sketch', 1, 5);
      insert into wallet (tenant_id, user_id, balance, active) values (1, 'ada', 0, 1);
      insert into job (
          tenant_id, id, wallet_id, effect_id, workflow_id, state, priority, events, progress,
          attempts, failures, interruptions, max_failures, max_interruptions, funding_seq, held,
          hold_open, captured, run_seconds, queue_seconds, review, safety_refund, fingerprint,
          created_at, due_at, changed_at, started_at)
      values (1, '%1$s', 1, 1, 1, 'running', 0, 2, 0, 1, 0, 0, 3, 10, 1, 5, true, 0, 600, 3600,
          false, false, 'f', now(), now(), now(), now());
      insert into job_input values (1, '%1$s', '{}');
      insert into attempt (tenant_id, job_id, number, token, worker, started_at)
      values (1, '%1$s', 1, '%2$s', 'w', now());
      insert into dispatch (
          tenant_id, job_id, workflow_id, effect_id, state, priority, virtual_start, due_at,
          deadline_at, lease_token, worker, lease_expires_at)
      select 1, '%1$s', 1, 1, 'running', 0, 0, j.due_at, now() + interval '1 hour', '%2$s', 'w',
          now() + interval '1 hour'
      from job j;
      insert into job_event (
          tenant_id, job_id, seq, trigger, from_state, state, progress, attempt, at)
      values
          (1, '%1$s', 1, 'submit', null, 'queued', 0, 0, now()),
          (1, '%1$s', 2, 'lease', 'queued', 'running', 0, 1, now());
      insert into ledger (
          tenant_id, wallet_id, type, amount, captured, balance_after, job_id, funding_seq, key, at)
      values
          (1, 1, 'payment_credit', 5, 0, 5, null, 0, 'paid', now()),
          (1, 1, 'job_reserve', -5, 0, 0, '%1$s', 1, null, now());
      """
          .formatted(JOB, TOKEN);

  private final TestDatabase place = TestDatabase.create();

  @BeforeEach
  void a_worker_is_at_work() {
    Flyway.configure()
        .dataSource(place.dataSource())
        .locations("classpath:dev/millrace/postgres/schema")
        .target("18")
        .load()
        .migrate();
    place.execute(LIFE);
  }

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void who_holds_a_lease_keeps_it() throws Exception {
    try (Database database = open();
        Engine engine =
            new Engine(
                database.store(),
                EngineRig.TIMINGS,
                new Engine.LaneSizes(16, 16),
                UUID::randomUUID,
                _ -> {})) {
      assertThat(database.doctor().examine()).isNotEmpty().allMatch(LawFinding::holds);
      assertThat(engine.report(heartbeat(UUID.fromString(TOKEN))))
          .isInstanceOf(Report.Result.Done.class);
      assertThat(engine.report(heartbeat(UUID.randomUUID())))
          .isInstanceOf(Report.Result.StaleLease.class);
      assertThat(database.doctor().examine()).allMatch(LawFinding::holds);
    }
  }

  @Test
  void a_month_that_was_begun_before_is_made_again_with_the_new_key() {
    YearMonth third = YearMonth.now(ZoneOffset.UTC).plusMonths(3);
    String begun = "job_event_%04d_%02d".formatted(third.getYear(), third.getMonthValue());
    place.execute("create table %s (like job_event including all)".formatted(begun));
    try (Database database = open()) {
      assertThat(database.history().ensureAhead(3)).contains(begun);
      assertThat(database.doctor().examine()).allMatch(LawFinding::holds);
    }
  }

  private Database open() {
    return Database.open(new Database.Access(place.jdbcUrl(), place.user(), place.password(), 4));
  }

  private static Report heartbeat(UUID token) {
    return new Report.Heartbeat(
        new JobId(1, UUID.fromString(JOB)), token, new Progress(50, "render", null), Summary.EMPTY);
  }
}
