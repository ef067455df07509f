package dev.millrace.postgres.removal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.doctor.LawFinding;
import dev.millrace.testkit.Background;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Whatever step a removal stops after, the books are right, and the next one goes on from there.
 */
class RemovalStepsPgTest {

  private static final String TABLES =
      """
      select c.table_name
      from information_schema.columns c
      join pg_class r on r.relname = c.table_name and not r.relispartition
      where c.table_schema = 'public'
        and c.column_name = 'tenant_id'
        and r.relkind in ('r', 'p')
      """;

  private static List<String> tables(EngineRig rig) throws Exception {
    List<String> tables = new ArrayList<>();
    try (Connection connection = rig.place().connect();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(TABLES)) {
      while (found.next()) {
        tables.add(found.getString(1));
      }
    }
    return tables;
  }

  @Test
  void every_table_with_rows_of_tenants_is_one_of_which_they_are_taken_away() throws Exception {
    try (EngineRig rig = EngineRig.open()) {
      assertThat(RemovalSteps.tables()).containsExactlyInAnyOrderElementsOf(tables(rig));
    }
  }

  /** Jobs that completed, that were canceled and refunded, and that wait; some of two users. */
  private static void fill(EngineRig rig, int tenant) throws InterruptedException {
    for (String user : List.of("ada", "bob", "eve")) {
      Wallet.Owner owner = new Wallet.Owner(tenant, user);
      for (int payment = 0; payment < 4; payment++) {
        rig.pay(owner, 20);
      }
      for (int number = 0; number < 3; number++) {
        rig.submit(rig.order().by(owner));
        rig.report(EngineRig.complete(rig.lease(), 1));
        rig.report(new Report.Cancel(rig.submit(rig.order().by(owner)).id()));
      }
      rig.submit(rig.order().by(owner));
    }
  }

  private static void cancel(EngineRig rig, RemovalSteps steps) throws InterruptedException {
    for (UUID live : steps.live(rig.acme(), 100)) {
      rig.report(new Report.Cancel(new JobId(rig.acme(), live)));
    }
  }

  private static void requireSound(EngineRig rig, String after) {
    assertThat(rig.database().doctor().examine()).as("after " + after).allMatch(LawFinding::holds);
  }

  @Test
  void after_every_step_all_laws_hold_and_at_the_end_nothing_is_left_of_one_tenant_alone()
      throws Exception {
    try (EngineRig rig = EngineRig.open()) {
      fill(rig, rig.zenith());
      fill(rig, rig.acme());
      int acme = rig.acme();
      long neighbours = rig.balance(new Wallet.Owner(rig.zenith(), "ada"));
      RemovalSteps steps = rig.database().wholeTenant().steps();
      cancel(rig, steps);
      assertThat(steps.anyLive(acme)).isFalse();
      List<UUID> jobs = steps.jobs(acme, 4);
      while (!jobs.isEmpty()) {
        assertThat(steps.forgetJobs(acme, jobs)).isEqualTo(jobs.size());
        requireSound(rig, "jobs");
        jobs = steps.jobs(acme, 4);
      }
      List<Long> wallets = steps.wallets(acme, 2);
      while (!wallets.isEmpty()) {
        assertThat(steps.forgetWallets(wallets, 3)).isPositive();
        requireSound(rig, "lines of payments");
        wallets = steps.wallets(acme, 2);
      }
      while (steps.clear(acme, 1)) {
        requireSound(rig, "the rest");
      }
      for (String table : tables(rig)) {
        assertThat(
                rig.place()
                    .ask("select count(*) from %s where tenant_id = %d".formatted(table, acme)))
            .as(table)
            .isEqualTo("0");
      }
      assertThat(rig.place().ask("select count(*) from job where tenant_id = " + rig.zenith()))
          .isEqualTo("21");
      assertThat(rig.balance(new Wallet.Owner(rig.zenith(), "ada"))).isEqualTo(neighbours);
    }
  }

  @Test
  void a_live_job_is_never_taken_away() throws Exception {
    try (EngineRig rig = EngineRig.open()) {
      UUID running = rig.running().job().id().uuid();
      RemovalSteps steps = rig.database().wholeTenant().steps();
      assertThat(steps.forgetJobs(rig.acme(), List.of(running))).isZero();
      assertThat(steps.jobs(rig.acme(), 5)).containsExactly(running);
      assertThat(steps.forgetWallets(steps.wallets(rig.acme(), 5), 100)).isOne();
      assertThat(steps.forgetWallets(steps.wallets(rig.acme(), 5), 100)).isZero();
    }
  }

  @Test
  void two_nodes_that_take_the_same_step_take_it_once() throws Exception {
    try (EngineRig rig = EngineRig.open()) {
      fill(rig, rig.acme());
      RemovalSteps steps = rig.database().wholeTenant().steps();
      cancel(rig, steps);
      List<UUID> jobs = steps.jobs(rig.acme(), 100);
      var one = Background.call(() -> steps.forgetJobs(rig.acme(), jobs));
      int other = steps.forgetJobs(rig.acme(), jobs);
      assertThat(one.join() + other).isEqualTo(jobs.size());
      requireSound(rig, "both");
    }
  }
}
