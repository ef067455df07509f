package dev.millrace.postgres.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.EngineRig;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A tenant that floods a queue delays itself. */
class FairnessPgTest {

  private static final int SLOTS = 4;

  private EngineRig rig;

  @BeforeEach
  void open() {
    rig = EngineRig.open();
    rig.pay(rig.user("ada"), 1_000_000);
    rig.pay(zoe(), 1_000);
  }

  @AfterEach
  void close() {
    rig.closeUnexamined();
  }

  private Wallet.Owner zoe() {
    return new Wallet.Owner(rig.zenith(), "zoe");
  }

  @Test
  void ten_thousand_jobs_of_one_tenant_delay_anothers_by_no_more_than_one_job_per_slot()
      throws Exception {
    Crowd.of(
        100,
        caller ->
            () -> {
              for (int i = 0; i < 100; i++) {
                rig.submit(rig.order());
              }
              return caller;
            });
    List<Leased> running = new ArrayList<>(rig.engine().lease(rig.asking("w", SLOTS)));
    assertThat(running).hasSize(SLOTS);

    Job one = rig.submit(rig.order().by(zoe()));

    int others = 0;
    while (running.stream().noneMatch(each -> each.job().id().equals(one.id()))) {
      rig.report(EngineRig.complete(running.removeFirst(), 1));
      Leased next = rig.lease();
      others += next.job().id().tenant() == rig.acme() ? 1 : 0;
      assertThat(others).as("jobs that started before it").isLessThanOrEqualTo(SLOTS);
      running.add(next);
    }
  }

  @Test
  void jobs_that_were_scheduled_long_ago_do_not_come_due_in_front_of_everybody() throws Exception {
    Instant later = Instant.now().plusSeconds(3_600);
    List<Job> scheduled = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      scheduled.add(rig.submit(rig.order().runAt(later)));
    }
    for (int i = 0; i < 30; i++) {
      rig.submit(rig.order().by(zoe()));
    }
    for (int i = 0; i < 20; i++) {
      rig.report(EngineRig.complete(rig.lease(), 1));
    }
    rig.place()
        .execute(
            """
            update job set due_at = now() - interval '1 s' where state = 'pending';
            update dispatch set due_at = now() - interval '1 s'
            where state = 'pending'
            """);
    for (Job job : scheduled) {
      rig.report(new Report.Promote(job.id(), job.terms().workflowId()));
    }

    List<Integer> tenants = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Leased next = rig.lease();
      tenants.add(next.job().id().tenant());
      rig.report(EngineRig.complete(next, 1));
    }
    for (int i = 0; i + 3 <= 20; i++) {
      assertThat(tenants.subList(i, i + 3)).as("taking turns, " + tenants).contains(rig.zenith());
    }
    assertThat(rig.place().ask("select finish from share where tenant_id = " + rig.acme()))
        .as("they line up behind what was served when they came due, each with one place")
        .isEqualTo(String.valueOf(19 * 5 + 10 * 5));
  }
}
