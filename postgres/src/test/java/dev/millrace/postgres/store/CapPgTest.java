package dev.millrace.postgres.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.fleet.Workers;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Caps on what runs at once hold, whoever leases on however many nodes. */
class CapPgTest {

  private EngineRig rig;

  @BeforeEach
  void open() throws Exception {
    rig = EngineRig.open();
    for (Wallet.Owner owner : List.of(ada(), zoe())) {
      rig.engine().topUp(new TopUp(owner, 1_000, "pay", null));
    }
  }

  @AfterEach
  void close() {
    rig.assertHealthy();
    rig.closeUnexamined();
  }

  private Wallet.Owner ada() {
    return rig.user("ada");
  }

  private Wallet.Owner zoe() {
    return new Wallet.Owner(rig.zenith(), "zoe");
  }

  private void capEffect(String slug, int most) {
    rig.place()
        .execute("update effect set concurrency = %d where slug = '%s'".formatted(most, slug));
  }

  /** Everything that a crowd of askers on two nodes gets. */
  private List<Leased> rush(Engine one, Engine other, int each) throws Exception {
    return Crowd.of(
            24,
            caller -> () -> (caller % 2 == 0 ? one : other).lease(rig.asking("w" + caller, each)))
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  @Test
  void an_effect_never_has_more_running_jobs_than_its_cap() throws Exception {
    capEffect("sketch", 3);
    for (int i = 0; i < 40; i++) {
      rig.submit(rig.order());
    }
    List<Leased> leased = rush(rig.engine(), rig.node(), 2);
    assertThat(leased).hasSize(3);
    rig.report(EngineRig.complete(leased.getFirst(), 1));
    assertThat(rush(rig.engine(), rig.node(), 2)).hasSize(1);
  }

  @Test
  void a_tenant_never_has_more_running_jobs_than_the_cap_and_does_not_hold_others_up()
      throws Exception {
    Engine one = rig.engine(rig.database().store(2));
    Engine other = rig.engine(rig.database().store(2));
    for (int i = 0; i < 20; i++) {
      rig.submit(rig.order());
    }
    rig.submit(rig.order().by(zoe()));
    List<Leased> leased = rush(one, other, 3);
    assertThat(leased.stream().filter(each -> each.job().id().tenant() == rig.acme())).hasSize(2);
    assertThat(leased.stream().filter(each -> each.job().id().tenant() == rig.zenith())).hasSize(1);
  }

  @Test
  void one_asker_gets_what_is_behind_a_long_row_of_jobs_that_may_not_start() throws Exception {
    rig.place()
        .execute(
            """
            insert into effect (slug, workflow_id, credits_cost, concurrency)
            select 'sketch/free', id, 5, null from workflow where slug = 'sketch'
            """);
    capEffect("sketch", 1);
    for (int i = 0; i < 30; i++) {
      rig.submit(rig.order());
    }
    Job last = rig.submit(rig.order().by(zoe()));
    rig.place()
        .execute(
            """
            update job set effect_id = (select id from effect where slug = 'sketch/free')
            where id = '%1$s';
            update dispatch set effect_id = (select id from effect where slug = 'sketch/free'),
                virtual_start = 1000000
            where job_id = '%1$s'
            """
                .formatted(last.id().uuid()));
    List<Leased> leased = rig.engine().lease(rig.asking("w", 5));
    assertThat(leased).hasSize(2);
    assertThat(leased.getLast().job().id()).isEqualTo(last.id());
  }

  @Test
  void an_enrolled_worker_never_holds_more_than_its_slots_on_any_node() throws Exception {
    Workers workers = rig.database().workers();
    workers.register(
        new Workers.NewWorker(
            "gpu",
            UUID.randomUUID(),
            "0a".repeat(32),
            3,
            null,
            "{}",
            List.of(rig.workflow("sketch")),
            true),
        10);
    for (int i = 0; i < 20; i++) {
      rig.submit(rig.order());
    }
    Engine other = rig.node();
    LeaseJobs ask = new LeaseJobs("gpu", List.of(rig.workflow("sketch")), 2, true);
    assertThat(
            Crowd.of(24, caller -> () -> (caller % 2 == 0 ? rig.engine() : other).lease(ask))
                .stream()
                .flatMap(List::stream))
        .hasSize(3);
    workers.change("gpu", Workers.Change.DRAIN);
    rig.place().execute("update worker set max_concurrency = 100");
    assertThat(rig.engine().lease(ask)).isEmpty();
    workers.change("gpu", Workers.Change.RESUME);
    assertThat(rig.engine().lease(ask)).hasSize(2);
  }
}
