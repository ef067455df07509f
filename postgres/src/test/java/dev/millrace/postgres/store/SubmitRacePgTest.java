package dev.millrace.postgres.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.SubmitBatch;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitJob.Result;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.money.Wallet;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two nodes take requests of one user at the same moment. */
class SubmitRacePgTest {

  private final EngineRig rig = EngineRig.open();
  private final Meeting meeting = new Meeting(rig);
  private final Wallet.Owner ada = rig.user("ada");

  @AfterEach
  void the_doctor_finds_nothing() {
    meeting.close();
  }

  @Test
  void a_wallet_is_drained_to_the_last_job_and_not_further_while_payments_come_in()
      throws Exception {
    rig.pay(ada, 37 * 5);
    List<Future<Result>> submits = new ArrayList<>();
    List<Future<TopUp.Result>> payments = new ArrayList<>();
    try (var _ = rig.block("select 1 from wallet for update")) {
      for (int i = 0; i < 100; i++) {
        Engine node = i % 2 == 0 ? rig.engine() : meeting.other();
        SubmitJob order = rig.order().build();
        submits.add(meeting.start(() -> node.submit(order)));
        if (i % 10 == 0) {
          TopUp payment = new TopUp(ada, 7, "pay-" + i, null);
          Engine payer = i % 20 == 0 ? rig.engine() : meeting.other();
          payments.add(meeting.start(() -> payer.topUp(payment)));
        }
      }
      rig.awaitLockWaits();
    }
    for (Future<TopUp.Result> payment : payments) {
      assertThat(payment.get()).isInstanceOf(TopUp.Result.Booked.class);
    }
    int accepted = 0;
    for (Future<Result> submit : submits) {
      switch (submit.get()) {
        case Result.Accepted _ -> accepted++;
        case Result.InsufficientCredits(long required, long balance) -> {
          assertThat(required).isEqualTo(5);
          assertThat(balance).isLessThan(5);
        }
        default -> throw new AssertionError(submit.get());
      }
    }
    assertThat(accepted).isBetween(37, 51);
    assertThat(rig.balance(ada)).isEqualTo(37 * 5 + 10 * 7 - accepted * 5L);
    assertThat(meeting.ask("select count(*) from job")).isEqualTo("" + accepted);
  }

  @Test
  void a_key_used_again_for_another_request_waits_for_the_first_and_is_a_mismatch()
      throws Exception {
    rig.pay(ada, 100);
    Meeting.Told<Result, Result> told = meet(keyed("one"), keyed("two"));
    assertThat(told.second())
        .isEqualTo(new Result.KeyMismatch(EngineRig.accepted(told.first()).id()));
    assertThat(rig.balance(ada)).isEqualTo(95);
  }

  @Test
  void a_key_used_again_for_the_same_request_waits_for_the_first_and_is_replayed()
      throws Exception {
    rig.pay(ada, 100);
    Meeting.Told<Result, Result> told = meet(keyed("one"), keyed("one"));
    assertThat(told.second()).isEqualTo(new Result.Replayed(EngineRig.accepted(told.first()).id()));
    assertThat(rig.balance(ada)).isEqualTo(95);
  }

  @Test
  void a_key_whose_first_use_was_rolled_back_is_free() throws Exception {
    rig.pay(ada, 100);
    AtomicReference<Future<Result>> second = new AtomicReference<>();
    assertThatThrownBy(() ->
            rig.database()
                .store()
                .transact(tx -> {
                  CommandBatch.Decided<Result> decided =
                      new SubmitBatch().decide(tx, List.of(keyed("one").build()));
                  tx.write(decided.changes());
                  second.set(meeting.start(() -> meeting.other().submit(keyed("two").build())));
                  rig.awaitLockWaits(1);
                  throw new IllegalStateException("lost");
                }))
        .hasMessage("lost");
    EngineRig.accepted(Objects.requireNonNull(second.get()).get());
    assertThat(meeting.ask("select count(*) || ' ' || min(fingerprint) from job"))
        .isEqualTo("1 two");
  }

  @Test
  void the_same_request_within_its_window_is_one_job_on_two_nodes() throws Exception {
    rig.pay(ada, 100);
    Duration window = Duration.ofMinutes(1);
    Meeting.Told<Result, Result> told =
        meet(rig.order().onceWithin(window, "w"), rig.order().onceWithin(window, "w"));
    assertThat(told.second()).isEqualTo(new Result.Replayed(EngineRig.accepted(told.first()).id()));
  }

  @Test
  void the_last_place_under_a_limit_is_given_once() throws Exception {
    rig.pay(ada, 100);
    Meeting.Told<Result, Result> told = meet(rig.order().limits(1, 0), rig.order().limits(1, 0));
    assertThat(told.second()).isEqualTo(new Result.TooManyActive(1));
  }

  @Test
  void a_single_submit_that_waited_for_a_batch_gets_what_is_left() throws Exception {
    rig.pay(ada, 17);
    Meeting.Told<SubmitMany.Result, Result> told =
        meeting.of(
            new SubmitMany.Booking(), batch(3), () -> meeting.other().submit(rig.order().build()));
    assertThat(told.first()).isInstanceOf(SubmitMany.Result.Decided.class);
    assertThat(told.second()).isEqualTo(new Result.InsufficientCredits(5, 2));
  }

  @Test
  void an_atomic_batch_that_waited_for_a_single_submit_is_refused_as_a_whole() throws Exception {
    rig.pay(ada, 17);
    SubmitMany batch = batch(3);
    Meeting.Told<Result, SubmitMany.Result> told =
        meeting.of(new SubmitBatch(), rig.order().build(), () -> meeting.other().submitMany(batch));
    EngineRig.accepted(told.first());
    assertThat(told.second())
        .isEqualTo(
            new SubmitMany.Result.Decided(
                batch.id(),
                false,
                List.of(
                    new Result.Withheld(),
                    new Result.Withheld(),
                    new Result.InsufficientCredits(5, 2))));
    assertThat(rig.balance(ada)).isEqualTo(12);
  }

  @Test
  void of_two_batches_with_one_key_the_second_is_the_first() throws Exception {
    rig.pay(ada, 100);
    SubmitMany first = batch(2);
    SubmitMany again = new SubmitMany(UUID.randomUUID(), ada, "batch", "f", true, batch(2).jobs());
    Meeting.Told<SubmitMany.Result, SubmitMany.Result> told =
        meeting.of(new SubmitMany.Booking(), first, () -> meeting.other().submitMany(again));
    assertThat(told.second()).isEqualTo(new SubmitMany.Result.Replayed(first.id()));
    assertThat(rig.balance(ada)).isEqualTo(90);
  }

  private Meeting.Told<Result, Result> meet(Order first, Order second) throws Exception {
    return meeting.of(
        new SubmitBatch(), first.build(), () -> meeting.other().submit(second.build()));
  }

  private Order keyed(String fingerprint) {
    return rig.order().key("k", fingerprint);
  }

  private SubmitMany batch(int size) {
    List<SubmitJob> jobs = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      jobs.add(rig.order().build());
    }
    return new SubmitMany(UUID.randomUUID(), ada, "batch", "f", true, jobs);
  }
}
