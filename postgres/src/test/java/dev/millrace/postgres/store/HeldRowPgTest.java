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
import dev.millrace.postgres.Mill;
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

  private final Mill mill = Mill.open();
  private final Meeting meeting = new Meeting(mill);
  private final Wallet.Owner ada = mill.user("ada");
  private final Wallet.Owner bob = mill.user("bob");
  private final Wallet.Owner zoe = new Wallet.Owner(mill.zenith(), "zoe");

  @BeforeEach
  void pay() {
    for (Wallet.Owner owner : List.of(ada, bob, zoe)) {
      mill.pay(owner, 100);
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
    Job job = Mill.accepted(engine.submit(mill.order().by(owner).effect("video").build()));
    Leased leased = engine.lease(new LeaseJobs("w", List.of(mill.effect("video")), 1)).getFirst();
    assertThat(leased.job().id()).isEqualTo(job.id());
    done(engine.report(Mill.heartbeat(leased, 50)));
    done(engine.report(Mill.complete(leased, 1)));
    Job second = Mill.accepted(engine.submit(mill.order().by(owner).effect("video").build()));
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
      lives(mill.engine(), zoe);
      lives(meeting.other(), zoe);
    }
  }

  @Test
  void a_wallet_that_somebody_holds_keeps_only_its_own_commands_waiting() throws Exception {
    Leased leased = mill.running();
    Future<Job> submit;
    Future<Job> report;
    Future<TopUp.Result> payment;
    try (var _ = mill.block(walletOf(ada))) {
      submit = start(() -> mill.submit(mill.order()));
      report = start(() -> mill.report(Mill.complete(leased, 1)));
      payment = start(() -> mill.engine().topUp(new TopUp(ada, 7, "pay-1", null)));
      othersGoOn();
      mill.pay(bob, 5);
      done(mill.engine().report(Mill.heartbeat(leased, 60)));
      assertThat(submit).isNotDone();
      assertThat(report).isNotDone();
      assertThat(payment).isNotDone();
    }
    assertThat(report.get().state()).isEqualTo(State.COMPLETED);
    assertThat(payment.get()).isInstanceOf(TopUp.Result.Booked.class);
    assertThat(mill.state(submit.get().id())).isEqualTo(State.QUEUED);
    assertThat(meeting.ask("select count(*) from job where wallet_id = " + walletId(ada)))
        .isEqualTo("2");
  }

  private String walletId(Wallet.Owner owner) {
    return meeting.ask("select id from wallet where user_id = '%s'".formatted(owner.user()));
  }

  @Test
  void a_job_that_somebody_holds_keeps_only_its_own_reports_waiting() throws Exception {
    Leased leased = mill.running();
    mill.submit(mill.order());
    Leased free = mill.lease();
    String held =
        "select 1 from job where id = '%s' for update".formatted(leased.job().id().uuid());
    Future<Job> heartbeat;
    Future<Job> cancel;
    try (var _ = mill.block(held)) {
      heartbeat = start(() -> mill.report(Mill.heartbeat(leased, 50)));
      cancel = start(() -> mill.report(new Report.Cancel(leased.job().id())));
      othersGoOn();
      mill.report(Mill.heartbeat(free, 30));
      mill.report(Mill.complete(free, 1));
      assertThat(heartbeat).isNotDone();
      assertThat(cancel).isNotDone();
    }
    assertThat(heartbeat.get().progress().percent()).isEqualTo(50);
    assertThat(cancel.get().state()).isEqualTo(State.CANCELING);
    done(mill.engine().report(new Report.AcknowledgeCancel(leased.job().id(), leased.token())));
  }

  @Test
  void a_dispatch_that_somebody_holds_keeps_only_its_own_reports_waiting() throws Exception {
    Leased leased = mill.running();
    String held =
        "select 1 from dispatch where job_id = '%s' for update".formatted(leased.job().id().uuid());
    Future<Job> result;
    try (var _ = mill.block(held)) {
      result = start(() -> mill.report(Mill.complete(leased, 1)));
      othersGoOn();
      assertThat(result).isNotDone();
    }
    assertThat(result.get().state()).isEqualTo(State.COMPLETED);
  }

  @Test
  void a_share_that_somebody_holds_keeps_only_its_own_submits_waiting() throws Exception {
    mill.submit(mill.order());
    Future<Job> submit;
    try (var _ =
        mill.block("select 1 from share where tenant_id = %d for update".formatted(mill.acme()))) {
      submit = start(() -> mill.submit(mill.order()));
      othersGoOn();
      assertThat(submit).isNotDone();
    }
    assertThat(mill.state(submit.get().id())).isEqualTo(State.QUEUED);
  }

  @Test
  void a_user_whom_somebody_is_just_making_keeps_only_its_own_submits_waiting() throws Exception {
    Wallet.Owner nova = mill.user("nova");
    Future<TopUp.Result> payment;
    try (var _ =
        mill.block(
            "insert into wallet (tenant_id, user_id) values (%d, 'nova')".formatted(mill.acme()))) {
      payment = start(() -> mill.engine().topUp(new TopUp(nova, 7, "pay-1", null)));
      Future<?> submit = start(() -> mill.engine().submit(mill.order().by(nova).build()));
      othersGoOn();
      assertThat(payment).isNotDone();
      assertThat(submit).isNotDone();
    }
    assertThat(payment.get()).isInstanceOf(TopUp.Result.Booked.class);
  }

  @Test
  void the_turn_at_the_caps_keeps_only_leases_waiting() throws Exception {
    mill.place().execute("update effect set concurrency = 9");
    mill.submit(mill.order());
    Future<Leased> lease;
    try (var _ = mill.block("select pg_advisory_xact_lock(hashtext('millrace.caps'))")) {
      lease = start(() -> mill.lease());
      for (int i = 0; i < 3; i++) {
        Job job = mill.submit(mill.order().by(zoe));
        mill.report(new Report.Cancel(job.id()));
      }
      assertThat(lease).isNotDone();
    }
    assertThat(lease.get().job().state()).isEqualTo(State.RUNNING);
  }

  @Test
  void whoever_waits_for_too_long_is_told_that_nothing_happened() throws Exception {
    try (var _ = mill.block(walletOf(ada))) {
      assertThatThrownBy(() -> mill.submit(mill.order())).isInstanceOf(Store.Busy.class);
      assertThatThrownBy(() -> mill.pay(ada, 3)).isInstanceOf(Store.Busy.class);
    }
    assertThat(meeting.ask("select count(*) from job")).isEqualTo("0");
    assertThat(mill.balance(ada)).isEqualTo(100);
  }

  @Test
  void two_nodes_that_hurry_for_one_wallet_are_both_served() throws Exception {
    List<Integer> served =
        Crowd.of(
            40,
            caller ->
                () -> {
                  Engine engine = caller % 2 == 0 ? mill.engine() : meeting.other();
                  for (int i = 0; i < 10; i++) {
                    Job job = Mill.accepted(engine.submit(mill.order().cost(0).build()));
                    done(engine.report(new Report.Cancel(job.id())));
                  }
                  return 10;
                });
    assertThat(served).hasSize(40).containsOnly(10);
  }
}
