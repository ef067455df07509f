package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.EngineRig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who gets which job next. */
class ClaimPgTest {

  private final EngineRig rig = EngineRig.open();
  private final Wallet.Owner ada = rig.user("ada");
  private final Wallet.Owner zoe = new Wallet.Owner(rig.zenith(), "zoe");

  @BeforeEach
  void fill_the_wallets() {
    rig.pay(ada, 100_000);
    rig.pay(zoe, 100_000);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void two_nodes_never_lease_one_job_twice() throws Exception {
    Engine other = rig.node();
    submit(300, ada);
    List<JobId> leased =
        Crowd.of(
                60,
                i ->
                    () -> {
                      Engine engine = i % 2 == 0 ? rig.engine() : other;
                      List<JobId> mine = new ArrayList<>();
                      List<Leased> next = engine.lease(rig.asking("w" + i, 3));
                      while (!next.isEmpty()) {
                        next.forEach(lease -> mine.add(lease.job().id()));
                        next = engine.lease(rig.asking("w" + i, 3));
                      }
                      return mine;
                    })
            .stream()
            .flatMap(List::stream)
            .toList();
    // A job that the other node had locked for a moment was skipped, not lost.
    List<JobId> all = new ArrayList<>(leased);
    rig.engine().lease(rig.asking("last", 300)).forEach(lease -> all.add(lease.job().id()));
    assertThat(all).doesNotHaveDuplicates().hasSize(300);
    assertThat(rig.place().ask("select count(*) from attempt")).isEqualTo("300");
  }

  @Test
  void a_claim_passes_by_a_locked_job_without_waiting() throws Exception {
    Job first = rig.submit(rig.order());
    Job second = rig.submit(rig.order());
    String jobRow = "select 1 from job where id = '%s' for update".formatted(first.id().uuid());
    try (var _ = rig.block(jobRow)) {
      assertThat(rig.lease().job().id()).isEqualTo(second.id());
      assertThat(rig.engine().lease(rig.asking("w", 1))).isEmpty();
    }
    assertThat(rig.lease().job().id()).isEqualTo(first.id());
  }

  @Test
  void priority_comes_first_then_the_fair_share_then_age() throws Exception {
    Job old = rig.submit(rig.order());
    Job later = rig.submit(rig.order());
    Job urgent = rig.submit(rig.order().priority(5));
    Job others = rig.submit(rig.order().by(zoe));
    List<JobId> order = new ArrayList<>();
    rig.engine().lease(rig.asking("w", 4)).forEach(lease -> order.add(lease.job().id()));
    assertThat(order).containsExactly(urgent.id(), old.id(), others.id(), later.id());
  }

  @Test
  void a_worker_gets_only_what_it_knows_and_no_more_than_it_asks_for() throws Exception {
    rig.submit(rig.order().effect("video"));
    submit(5, ada);
    assertThat(rig.engine().lease(rig.asking("w", 3)))
        .hasSize(3)
        .allMatch(lease -> lease.job().terms().workflowId() == rig.workflow("sketch"));
    LeaseJobs both = new LeaseJobs("w", List.of(rig.workflow("sketch"), rig.workflow("video")), 10);
    assertThat(rig.engine().lease(both)).hasSize(3);
  }

  @Test
  void a_flood_of_one_tenant_delays_another_by_a_job_per_slot_at_most() throws Exception {
    int slots = 4;
    submit(1000, ada);
    List<Leased> busy = rig.engine().lease(rig.asking("w", slots));
    for (Leased leased : busy) {
      rig.report(complete(leased, 5));
    }
    Job single = rig.submit(rig.order().by(zoe));
    List<Leased> next = rig.engine().lease(rig.asking("w", slots));
    assertThat(next).hasSize(slots).anyMatch(lease -> lease.job().id().equals(single.id()));
  }

  @Test
  void a_tenant_that_was_away_gets_no_credit_for_it() throws Exception {
    rig.submit(rig.order().by(zoe));
    rig.lease();
    submit(20, ada);
    rig.engine().lease(rig.asking("w", 20));
    submit(4, ada);
    submit(4, zoe);
    assertThat(rig.engine().lease(rig.asking("w", 4)))
        .filteredOn(lease -> lease.job().id().tenant() == rig.zenith())
        .hasSizeBetween(1, 3);
  }

  private void submit(int jobs, Wallet.Owner owner) throws Exception {
    var orders = new ArrayList<SubmitJob>();
    for (int i = 0; i < jobs; i++) {
      orders.add(rig.order().by(owner).build());
    }
    Crowd.of(jobs, i -> () -> EngineRig.accepted(rig.engine().submit(orders.get(i))));
  }
}
