package dev.millrace.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.doctor.LawFinding;
import dev.millrace.testkit.TestDatabase;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A database from before the history was cut into months. */
class HistoryMigrationPgTest {

  private static final String DONE = "01990000-0000-7000-8000-000000000001";
  private static final String EARLY = "7f000000-0000-7000-8000-000000000002";

  /** One job that completed for 4 of 5 credits, and one whose id is from the far future. */
  private static final String LIFE =
      """
      insert into tenant (slug) values ('acme');
      insert into workflow (slug, version, executor) values ('sketch', 1, 'worker');
      insert into effect (slug, workflow_id, credits_cost) values ('sketch', 1, 5);
      insert into wallet (tenant_id, user_id, balance, active) values (1, 'ada', 91, 1);
      insert into job (
          tenant_id, id, wallet_id, effect_id, workflow_id, state, priority, events, progress,
          attempts, failures, interruptions, max_failures, max_interruptions, funding_seq, held,
          hold_open, captured, run_seconds, queue_seconds, review, safety_refund, fingerprint,
          created_at, due_at, changed_at, finished_at)
      values
          (1, '%1$s', 1, 1, 1, 'completed', 0, 3, 100, 1, 0, 0, 3, 10, 1, 5, false, 4, 600, 3600,
           false, false, 'f', now(), now(), now(), now()),
          (1, '%2$s', 1, 1, 1, 'queued', 0, 1, 0, 0, 0, 0, 3, 10, 1, 5, true, 0, 600, 3600,
           false, false, 'f', now(), now(), now(), null);
      insert into job_input values (1, '%1$s', '{}'), (1, '%2$s', '{}');
      insert into attempt (tenant_id, job_id, number, token, worker, started_at, ended_at, outcome)
      values (1, '%1$s', 1, gen_random_uuid(), 'w', now(), now(), 'completed');
      insert into file (
          tenant_id, id, wallet_id, job_id, attempt, kind, key, name, media_type, size, sha256,
          created_at)
      values (1, gen_random_uuid(), 1, '%1$s', 1, 'output', 'k', 'n', 'image/png', 9,
          repeat('0f', 32), now());
      insert into dispatch (
          tenant_id, job_id, workflow_id, state, priority, virtual_start, due_at, deadline_at)
      values (1, '%2$s', 1, 'queued', 0, 0, now(), now() + interval '1 hour');
      insert into job_event (
          tenant_id, job_id, seq, trigger, from_state, state, progress, attempt, at)
      values
          (1, '%1$s', 1, 'submit', null, 'queued', 0, 0, now()),
          (1, '%1$s', 2, 'lease', 'queued', 'running', 0, 1, now()),
          (1, '%1$s', 3, 'complete', 'running', 'completed', 100, 1, now()),
          (1, '%2$s', 1, 'submit', null, 'queued', 0, 0, now());
      insert into ledger (
          tenant_id, wallet_id, type, amount, captured, balance_after, job_id, funding_seq, key, at)
      values
          (1, 1, 'payment_credit', 100, 0, 100, null, 0, 'paid', now()),
          (1, 1, 'job_reserve', -5, 0, 95, '%1$s', 1, null, now()),
          (1, 1, 'job_consume', 0, 4, 95, '%1$s', 1, null, now()),
          (1, 1, 'job_refund', 1, 0, 96, '%1$s', 1, null, now()),
          (1, 1, 'job_reserve', -5, 0, 91, '%2$s', 1, null, now());
      """
          .formatted(DONE, EARLY);

  private final TestDatabase place = TestDatabase.create();

  @BeforeEach
  void live_before_the_months() {
    Flyway.configure()
        .dataSource(place.dataSource())
        .locations("classpath:dev/millrace/postgres/schema")
        .target("4")
        .load()
        .migrate();
    place.execute(LIFE);
  }

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void everything_is_kept_and_every_law_holds() {
    String events = all("job_event", "job_id, seq");
    String ledger = all("ledger", "id");
    try (Database database = open()) {
      assertThat(database.doctor().examine()).isNotEmpty().allMatch(LawFinding::holds);
      assertThat(database.history().ensureAhead(3)).hasSize(2);
    }
    assertThat(all("job_event", "job_id, seq")).isEqualTo(events);
    assertThat(all("ledger", "id")).isEqualTo(ledger);
    assertThat(placeOf("job_event", DONE)).isEqualTo("job_event_first");
    assertThat(placeOf("job_event", EARLY)).isEqualTo("job_event_default");
    assertThat(placeOf("ledger", DONE)).isEqualTo("ledger_default");
  }

  @Test
  void a_payment_that_was_booked_before_is_not_booked_again_and_new_lines_come_after_the_old() {
    try (Database database = open();
        Engine engine =
            new Engine(
                database.store(),
                EngineRig.TIMINGS,
                new Engine.LaneSizes(16, 16),
                UUID::randomUUID,
                _ -> {})) {
      Wallet.Owner ada = new Wallet.Owner(1, "ada");
      assertThat(engine.topUp(new TopUp(ada, 100, "paid", null)))
          .isInstanceOf(TopUp.Result.Replayed.class);
      assertThat(engine.topUp(new TopUp(ada, 7, "more", null)))
          .isInstanceOf(TopUp.Result.Booked.class);
      assertThat(place.ask("select max(id) from ledger where key = 'more'")).isEqualTo("6");
      assertThat(database.doctor().examine()).isNotEmpty().allMatch(LawFinding::holds);
    }
  }

  private String all(String table, String order) {
    return String.valueOf(
        place.ask("select string_agg(t::text, ';' order by %s) from %s t".formatted(order, table)));
  }

  private String placeOf(String table, String job) {
    return String.valueOf(
        place.ask(
            "select min(tableoid::regclass::text) from %s where job_id = '%s'"
                .formatted(table, job)));
  }

  private Database open() {
    return Database.open(new Database.Access(place.jdbcUrl(), place.user(), place.password(), 4));
  }
}
