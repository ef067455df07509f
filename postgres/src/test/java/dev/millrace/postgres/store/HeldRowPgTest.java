package dev.millrace.postgres.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.EngineRig;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A row that somebody else holds keeps only those waiting who need it. What the others do here,
 * they do while the row is held; nobody looks at a clock.
 */
class HeldRowPgTest {

  private final EngineRig rig = EngineRig.open();
  private final Meeting meeting = new Meeting(rig);
  private final Wallet.Owner ada = rig.user("ada");
  private final Wallet.Owner bob = rig.user("bob");
  private final Wallet.Owner zoe = new Wallet.Owner(rig.zenith(), "zoe");

  @BeforeEach
  void pay() {
    for (Wallet.Owner owner : List.of(ada, bob, zoe)) {
      rig.pay(owner, 100);
    }
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    meeting.close();
  }

  private String walletOf(Wallet.Owner owner) {
    return "select 1 from wallet where user_id = '%s' for update".formatted(owner.user());
  }

  /** A whole life: submit, lease, heartbeat, result; and a submit that is canceled. */
  private void lives(Engine engine, Wallet.Owner owner) throws InterruptedException {
    Job job = EngineRig.accepted(engine.submit(rig.order().by(owner).effect("video").build()));
    Leased leased = engine.lease(new LeaseJobs("w", List.of(rig.effect("video")), 1)).getFirst();
    assertThat(leased.job().id()).isEqualTo(job.id());
    done(engine.report(EngineRig.heartbeat(leased, 50)));
    done(engine.report(EngineRig.complete(leased, 1)));
    Job second = EngineRig.accepted(engine.submit(rig.order().by(owner).effect("video").build()));
    done(engine.report(new Report.Cancel(second.id())));
  }

  /** Asks again if it was told that somebody holds the row: on a slow machine this takes long. */
  private <R> Future<R> start(Callable<R> command) {
    return meeting.start(() -> {
      while (true) {
        try {
          return command.call();
        } catch (Store.Busy _) {
          // Nothing happened.
        }
      }
    });
  }

  private static void done(Report.Result result) {
    assertThat(result).isInstanceOf(Report.Result.Done.class);
  }

  /** On both nodes, several times, as whoever is stuck gets in their way again and again. */
  private void othersGoOn() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      lives(rig.engine(), zoe);
      lives(meeting.other(), zoe);
    }
  }

  @Test
  void a_wallet_that_somebody_holds_keeps_only_its_own_commands_waiting() throws Exception {
    Leased leased = rig.running();
    Future<Job> submit;
    Future<Job> report;
    Future<TopUp.Result> payment;
    try (var _ = rig.block(walletOf(ada))) {
      submit = start(() -> rig.submit(rig.order()));
      report = start(() -> rig.report(EngineRig.complete(leased, 1)));
      payment = start(() -> rig.engine().topUp(new TopUp(ada, 7, "pay-1", null)));
      othersGoOn();
      rig.pay(bob, 5);
      done(rig.engine().report(EngineRig.heartbeat(leased, 60)));
      assertThat(submit).isNotDone();
      assertThat(report).isNotDone();
      assertThat(payment).isNotDone();
    }
    assertThat(report.get().state()).isEqualTo(State.COMPLETED);
    assertThat(payment.get()).isInstanceOf(TopUp.Result.Booked.class);
    assertThat(rig.state(submit.get().id())).isEqualTo(State.QUEUED);
    assertThat(meeting.ask("select count(*) from job where wallet_id = " + walletId(ada)))
        .isEqualTo("2");
  }

  private String walletId(Wallet.Owner owner) {
    return meeting.ask("select id from wallet where user_id = '%s'".formatted(owner.user()));
  }

  @Test
  void a_job_that_somebody_holds_keeps_only_its_own_reports_waiting() throws Exception {
    Leased leased = rig.running();
    rig.submit(rig.order());
    Leased free = rig.lease();
    String held =
        "select 1 from job where id = '%s' for update".formatted(leased.job().id().uuid());
    Future<Job> heartbeat;
    Future<Job> cancel;
    try (var _ = rig.block(held)) {
      heartbeat = start(() -> rig.report(EngineRig.heartbeat(leased, 50)));
      cancel = start(() -> rig.report(new Report.Cancel(leased.job().id())));
      othersGoOn();
      rig.report(EngineRig.heartbeat(free, 30));
      rig.report(EngineRig.complete(free, 1));
      assertThat(heartbeat).isNotDone();
      assertThat(cancel).isNotDone();
    }
    assertThat(heartbeat.get().progress().percent()).isEqualTo(50);
    assertThat(cancel.get().state()).isEqualTo(State.CANCELING);
    done(rig.engine().report(new Report.AcknowledgeCancel(leased.job().id(), leased.token())));
  }

  @Test
  void a_dispatch_that_somebody_holds_keeps_only_its_own_reports_waiting() throws Exception {
    Leased leased = rig.running();
    String held =
        "select 1 from dispatch where job_id = '%s' for update".formatted(leased.job().id().uuid());
    Future<Job> result;
    try (var _ = rig.block(held)) {
      result = start(() -> rig.report(EngineRig.complete(leased, 1)));
      othersGoOn();
      assertThat(result).isNotDone();
    }
    assertThat(result.get().state()).isEqualTo(State.COMPLETED);
  }

  @Test
  void a_share_that_somebody_holds_keeps_only_its_own_submits_waiting() throws Exception {
    rig.submit(rig.order());
    Future<Job> submit;
    try (var _ =
        rig.block("select 1 from share where tenant_id = %d for update".formatted(rig.acme()))) {
      submit = start(() -> rig.submit(rig.order()));
      othersGoOn();
      assertThat(submit).isNotDone();
    }
    assertThat(rig.state(submit.get().id())).isEqualTo(State.QUEUED);
  }

  @Test
  void a_user_whom_somebody_is_just_making_keeps_only_its_own_submits_waiting() throws Exception {
    Wallet.Owner nova = rig.user("nova");
    Future<TopUp.Result> payment;
    try (var _ =
        rig.block(
            "insert into wallet (tenant_id, user_id) values (%d, 'nova')".formatted(rig.acme()))) {
      payment = start(() -> rig.engine().topUp(new TopUp(nova, 7, "pay-1", null)));
      Future<?> submit = start(() -> rig.engine().submit(rig.order().by(nova).build()));
      othersGoOn();
      assertThat(payment).isNotDone();
      assertThat(submit).isNotDone();
    }
    assertThat(payment.get()).isInstanceOf(TopUp.Result.Booked.class);
  }

  @Test
  void the_turn_at_the_caps_keeps_only_leases_waiting() throws Exception {
    rig.place().execute("update effect set concurrency = 9");
    rig.submit(rig.order());
    Future<Leased> lease;
    try (var _ = rig.block("select pg_advisory_xact_lock(hashtext('millrace.caps'))")) {
      lease = start(() -> rig.lease());
      for (int i = 0; i < 3; i++) {
        Job job = rig.submit(rig.order().by(zoe));
        rig.report(new Report.Cancel(job.id()));
      }
      assertThat(lease).isNotDone();
    }
    assertThat(lease.get().job().state()).isEqualTo(State.RUNNING);
  }

  @Test
  void whoever_waits_for_too_long_is_told_that_nothing_happened() throws Exception {
    try (var _ = rig.block(walletOf(ada))) {
      assertThatThrownBy(() -> rig.submit(rig.order())).isInstanceOf(Store.Busy.class);
      assertThatThrownBy(() -> rig.pay(ada, 3)).isInstanceOf(Store.Busy.class);
    }
    assertThat(meeting.ask("select count(*) from job")).isEqualTo("0");
    assertThat(rig.balance(ada)).isEqualTo(100);
  }

  @Test
  void two_nodes_that_hurry_for_one_wallet_are_both_served() throws Exception {
    List<Integer> served =
        Crowd.of(
            40,
            caller ->
                () -> {
                  Engine engine = caller % 2 == 0 ? rig.engine() : meeting.other();
                  for (int i = 0; i < 10; i++) {
                    Job job = EngineRig.accepted(engine.submit(rig.order().cost(0).build()));
                    done(engine.report(new Report.Cancel(job.id())));
                  }
                  return 10;
                });
    assertThat(served).hasSize(40).containsOnly(10);
  }
}
