package dev.millrace.postgres.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitJob.Result;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.Crowd;
import dev.millrace.postgres.EngineRig;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Money and keys under many callers, on one node and on two. */
class ConcurrentSubmitsPgTest {

  private final EngineRig rig = EngineRig.open();
  private final Wallet.Owner ada = rig.user("ada");

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_hundred_submits_with_one_key_make_one_job_and_one_debit() throws Exception {
    hundredWithOneKey(rig.engine(), rig.engine());
  }

  @Test
  void two_nodes_share_a_key() throws Exception {
    hundredWithOneKey(rig.engine(), rig.node());
  }

  @Test
  void a_wallet_for_fifty_accepts_fifty_of_two_hundred() throws Exception {
    twoHundredOnAWalletForFifty(rig.engine(), rig.engine());
  }

  @Test
  void two_nodes_share_a_wallet() throws Exception {
    twoHundredOnAWalletForFifty(rig.engine(), rig.node());
  }

  @Test
  void the_same_key_for_another_request_is_a_mismatch() throws Exception {
    rig.pay(ada, 100);
    rig.submit(rig.order().key("k", "f1"));
    assertThat(rig.engine().submit(rig.order().key("k", "f2").build()))
        .isInstanceOf(Result.KeyMismatch.class);
    rig.pay(rig.user("bob"), 5);
    rig.submit(rig.order().by(rig.user("bob")).key("k", "f2"));
  }

  @Test
  void a_payment_that_comes_to_two_nodes_many_times_is_booked_once() throws Exception {
    Engine other = rig.node();
    List<TopUp.Result> results =
        Crowd.of(
            40,
            i -> () -> (i % 2 == 0 ? rig.engine() : other).topUp(new TopUp(ada, 70, "pay", null)));
    assertThat(results).filteredOn(TopUp.Result.Booked.class::isInstance).hasSize(1);
    assertThat(rig.balance(ada)).isEqualTo(70);
  }

  @Test
  void wallets_that_two_nodes_make_at_once_are_made_once() throws Exception {
    Engine other = rig.node();
    Crowd.of(
        120,
        i ->
            () ->
                (i % 2 == 0 ? rig.engine() : other)
                    .submit(rig.order().by(rig.user("user-" + i % 30)).cost(0).build()));
    assertThat(rig.place().ask("select count(*) from wallet")).isEqualTo("30");
    assertThat(rig.place().ask("select count(*) from job")).isEqualTo("120");
  }

  private void hundredWithOneKey(Engine one, Engine two) throws Exception {
    rig.pay(ada, 1000);
    List<Result> results =
        Crowd.of(
            100, i -> () -> (i % 2 == 0 ? one : two).submit(rig.order().key("k", "f").build()));
    assertThat(results).filteredOn(Result.Accepted.class::isInstance).hasSize(1);
    assertThat(results).filteredOn(Result.Replayed.class::isInstance).hasSize(99);
    assertThat(rig.balance(ada)).isEqualTo(995);
    assertThat(rig.place().ask("select count(*) from job")).isEqualTo("1");
  }

  private void twoHundredOnAWalletForFifty(Engine one, Engine two) throws Exception {
    rig.pay(ada, 250);
    SubmitJob[] orders = new SubmitJob[200];
    for (int i = 0; i < orders.length; i++) {
      orders[i] = rig.order().build();
    }
    List<Result> results =
        Crowd.of(orders.length, i -> () -> (i % 2 == 0 ? one : two).submit(orders[i]));
    assertThat(results).filteredOn(Result.Accepted.class::isInstance).hasSize(50);
    assertThat(results)
        .filteredOn(result -> !(result instanceof Result.Accepted))
        .containsOnly(new Result.InsufficientCredits(5, 0))
        .hasSize(150);
    assertThat(rig.balance(ada)).isZero();
  }
}
