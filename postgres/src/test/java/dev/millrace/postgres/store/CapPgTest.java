package dev.millrace.postgres.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.Mill;
import dev.millrace.postgres.fleet.Workers;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Caps on what runs at once hold, whoever leases on however many nodes. */
class CapPgTest {

  private Mill mill;

  @BeforeEach
  void open() throws Exception {
    mill = Mill.open();
    for (Wallet.Owner owner : List.of(ada(), zoe())) {
      mill.engine().topUp(new TopUp(owner, 1_000, "pay", null));
    }
  }

  @AfterEach
  void close() {
    mill.assertHealthy();
    mill.closeUnexamined();
  }

  private Wallet.Owner ada() {
    return mill.user("ada");
  }

  private Wallet.Owner zoe() {
    return new Wallet.Owner(mill.zenith(), "zoe");
  }

  private void capEffect(String slug, int most) {
    mill.place()
        .execute("update effect set concurrency = %d where slug = '%s'".formatted(most, slug));
  }

  /** Everything that a crowd of askers on two nodes gets. */
  private List<Leased> rush(Engine one, Engine other, int each) throws Exception {
    return Crowd.of(
            24,
            caller -> () -> (caller % 2 == 0 ? one : other).lease(mill.asking("w" + caller, each)))
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  @Test
  void an_effect_never_has_more_running_jobs_than_its_cap() throws Exception {
    capEffect("sketch", 3);
    for (int i = 0; i < 40; i++) {
      mill.submit(mill.order());
    }
    List<Leased> leased = rush(mill.engine(), mill.node(), 2);
    assertThat(leased).hasSize(3);
    mill.report(Mill.complete(leased.getFirst(), 1));
    assertThat(rush(mill.engine(), mill.node(), 2)).hasSize(1);
  }

  @Test
  void a_tenant_never_has_more_running_jobs_than_the_cap_and_does_not_hold_others_up()
      throws Exception {
    Engine one = mill.engine(mill.database().store(2));
    Engine other = mill.engine(mill.database().store(2));
    for (int i = 0; i < 20; i++) {
      mill.submit(mill.order());
    }
    mill.submit(mill.order().by(zoe()));
    List<Leased> leased = rush(one, other, 3);
    assertThat(leased.stream().filter(each -> each.job().id().tenant() == mill.acme())).hasSize(2);
    assertThat(leased.stream().filter(each -> each.job().id().tenant() == mill.zenith()))
        .hasSize(1);
  }

  @Test
  void one_asker_gets_what_is_behind_a_long_row_of_jobs_that_may_not_start() throws Exception {
    mill.place()
        .execute(
            """
            insert into effect (slug, workflow_id, credits_cost, concurrency)
            select 'sketch/free', id, 5, null from workflow where slug = 'sketch'
            """);
    capEffect("sketch", 1);
    for (int i = 0; i < 30; i++) {
      mill.submit(mill.order());
    }
    Job last = mill.submit(mill.order().by(zoe()));
    mill.place()
        .execute(
            """
            update job set effect_id = (select id from effect where slug = 'sketch/free')
            where id = '%1$s';
            update dispatch set effect_id = (select id from effect where slug = 'sketch/free'),
                virtual_start = 1000000
            where job_id = '%1$s'
            """
                .formatted(last.id().uuid()));
    List<Leased> leased = mill.engine().lease(mill.asking("w", 5));
    assertThat(leased).hasSize(2);
    assertThat(leased.getLast().job().id()).isEqualTo(last.id());
  }

  @Test
  void an_enrolled_worker_never_holds_more_than_its_slots_on_any_node() throws Exception {
    Workers workers = mill.database().workers();
    workers.register(
        new Workers.NewWorker(
            "gpu",
            UUID.randomUUID(),
            "0a".repeat(32),
            3,
            null,
            "{}",
            List.of(mill.workflow("sketch")),
            true),
        10);
    for (int i = 0; i < 20; i++) {
      mill.submit(mill.order());
    }
    Engine other = mill.node();
    LeaseJobs ask = new LeaseJobs("gpu", List.of(mill.workflow("sketch")), 2, true);
    assertThat(
            Crowd.of(24, caller -> () -> (caller % 2 == 0 ? mill.engine() : other).lease(ask))
                .stream()
                .flatMap(List::stream))
        .hasSize(3);
    workers.change("gpu", Workers.Change.DRAIN);
    mill.place().execute("update worker set max_concurrency = 100");
    assertThat(mill.engine().lease(ask)).isEmpty();
    workers.change("gpu", Workers.Change.RESUME);
    assertThat(mill.engine().lease(ask)).hasSize(2);
  }
}
