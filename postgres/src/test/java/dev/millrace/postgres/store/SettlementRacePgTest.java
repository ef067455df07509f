package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.Database;
import dev.millrace.postgres.EngineRig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Two nodes want to end the same job, or jobs of the same wallets. */
class SettlementRacePgTest {

  private static final int SETTLEMENTS = 1000;
  private static final int AT_ONCE = 4;

  private final EngineRig rig = EngineRig.open();
  private final Meeting meeting = new Meeting(rig);

  @Test
  void a_reaper_that_waited_for_the_result_finds_nothing_to_end() throws Exception {
    try (meeting) {
      Leased leased = rig.running();
      missed();
      Meeting.Told<Result, Result> told =
          meeting.of(complete(leased, 3), new Report.MissDeadline(leased.job().id()));
      assertThat(told.first()).isInstanceOf(Result.Done.class);
      assertThat(told.second()).isInstanceOf(Result.Done.class);
      assertThat(rig.state(leased.job().id())).isEqualTo(State.COMPLETED);
      assertThat(rig.balance(rig.user("ada"))).isEqualTo(2);
    }
  }

  @Test
  void a_result_that_waited_for_the_reaper_is_stale_and_everything_is_paid_back() throws Exception {
    try (meeting) {
      Leased leased = rig.running();
      missed();
      Meeting.Told<Result, Result> told =
          meeting.of(new Report.MissDeadline(leased.job().id()), complete(leased, 3));
      assertThat(told.second()).isEqualTo(new Result.StaleLease());
      assertThat(rig.state(leased.job().id())).isEqualTo(State.EXPIRED);
      assertThat(meeting.ask("select count(*) from file")).isEqualTo("0");
      assertThat(rig.balance(rig.user("ada"))).isEqualTo(5);
    }
  }

  @Test
  void of_two_reapers_one_takes_the_lost_lease_and_the_other_nothing() throws Exception {
    try (meeting) {
      Leased leased = rig.running();
      rig.place().execute("update job set lease_expires_at = clock_timestamp() - interval '1 s'");
      Report lost = new Report.LoseLease(leased.job().id(), leased.token(), false);
      meeting.of(lost, lost);
      assertThat(meeting.stored(leased.job().id()).tries().interruptions()).isEqualTo(1);
    }
  }

  @Test
  void a_cancel_that_waited_for_the_result_is_denied() throws Exception {
    try (meeting) {
      Leased leased = rig.running();
      Meeting.Told<Result, Result> told =
          meeting.of(complete(leased, 5), new Report.Cancel(leased.job().id()));
      assertThat(told.second()).isEqualTo(new Result.Denied(State.COMPLETED, Trigger.CANCEL));
      assertThat(rig.balance(rig.user("ada"))).isZero();
    }
  }

  @Test
  void a_result_that_waited_for_the_cancel_still_wins() throws Exception {
    try (meeting) {
      Leased leased = rig.running();
      Meeting.Told<Result, Result> told =
          meeting.of(new Report.Cancel(leased.job().id()), complete(leased, 5));
      assertThat(told.second()).isInstanceOf(Result.Done.class);
      assertThat(rig.state(leased.job().id())).isEqualTo(State.COMPLETED);
      assertThat(rig.balance(rig.user("ada"))).isZero();
    }
  }

  @Test
  void settlements_in_opposite_order_on_two_nodes_neither_deadlock_nor_get_lost() throws Exception {
    List<Leased> jobs = runningJobs();
    List<Leased> upwards = new ArrayList<>();
    List<Leased> downwards = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      (i / 2 % 2 == 0 ? upwards : downwards).add(jobs.get(i));
    }
    Collections.reverse(downwards);
    try (Database other =
        Database.open(
            new Database.Access(
                rig.place().jdbcUrl(), rig.place().user(), rig.place().password(), 2))) {
      Store here = rig.database().store();
      Store there = other.store();
      List<Integer> settled =
          Crowd.of(2, i -> () -> i == 0 ? settle(here, upwards) : settle(there, downwards));
      assertThat(settled).containsExactly(SETTLEMENTS / 2, SETTLEMENTS / 2);
    }
    assertThat(meeting.ask("select count(*) from job where state = 'completed' and captured = 1"))
        .isEqualTo("" + SETTLEMENTS);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(SETTLEMENTS / 2);
    assertThat(rig.balance(rig.user("bob"))).isEqualTo(SETTLEMENTS / 2);
    rig.assertHealthy();
    rig.stop();
    assertNoDeadlock();
    rig.place().close();
  }

  /** A few at a time, so that each transaction settles jobs of both wallets. */
  private static int settle(Store store, List<Leased> jobs) {
    int done = 0;
    for (int from = 0; from < jobs.size(); from += AT_ONCE) {
      List<Report> reports = new ArrayList<>();
      for (Leased leased : jobs.subList(from, Math.min(from + AT_ONCE, jobs.size()))) {
        reports.add(complete(leased, 1));
      }
      List<Result> results =
          store.transact(tx -> {
            CommandBatch.Decided<Result> decided =
                new ReportBatch(EngineRig.TIMINGS).decide(tx, reports);
            tx.write(decided.changes());
            return decided.results();
          });
      done += (int) results.stream().filter(Result.Done.class::isInstance).count();
    }
    return done;
  }

  /** In the order of their ids, a job of ada's and a job of bob's by turns; 2 credits each. */
  private List<Leased> runningJobs() throws InterruptedException {
    Wallet.Owner ada = rig.user("ada");
    Wallet.Owner bob = rig.user("bob");
    List<SubmitJob> adas = new ArrayList<>();
    List<SubmitJob> bobs = new ArrayList<>();
    for (int i = 0; i < SETTLEMENTS / 2; i++) {
      adas.add(rig.order().by(ada).cost(2).build());
      bobs.add(rig.order().by(bob).cost(2).build());
    }
    rig.pay(ada, SETTLEMENTS);
    rig.pay(bob, SETTLEMENTS);
    rig.engine().submitMany(new SubmitMany(UUID.randomUUID(), ada, null, "a", true, adas));
    rig.engine().submitMany(new SubmitMany(UUID.randomUUID(), bob, null, "b", true, bobs));
    List<Leased> jobs = new ArrayList<>(rig.engine().lease(rig.asking("w", SETTLEMENTS)));
    assertThat(jobs).hasSize(SETTLEMENTS);
    jobs.sort(Comparator.comparing(leased -> leased.job().id()));
    return jobs;
  }

  private void missed() {
    rig.place()
        .execute(
            """
            update job set deadline_at = now() - interval '1 second' where state < 'completed';
            update dispatch set deadline_at = now() - interval '1 second'
            """);
  }

  private void assertNoDeadlock() {
    Awaitility.await()
        .until(() ->
            "1"
                .equals(
                    meeting.ask(
                        """
                        select count(*)
                        from pg_stat_activity
                        where datname = current_database()
                        """)));
    assertThat(
            meeting.ask(
                "select deadlocks from pg_stat_database where datname = current_database()"))
        .isEqualTo("0");
  }
}
