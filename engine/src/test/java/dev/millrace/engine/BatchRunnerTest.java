package dev.millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.lane.BatchHandler;
import dev.millrace.engine.memory.MemoryStore;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A batch leaves out those of its commands that need what somebody else holds. */
class BatchRunnerTest {

  private static final Wallet.Owner ADA = new Wallet.Owner(1, "ada");
  private static final Wallet.Owner BOB = new Wallet.Owner(1, "bob");

  private final MemoryStore store = new MemoryStore();
  private final List<Changes> told = new ArrayList<>();
  private final BatchRunner<TopUp, TopUp.Result> runner =
      new BatchRunner<>(store, told::add, new TopUp.Booking());

  private static TopUp pay(Wallet.Owner owner) {
    return new TopUp(owner, 5, "p", null);
  }

  @Test
  void who_needs_what_is_free_runs_and_who_does_not_is_named() {
    store.holdByStranger(ADA);
    BatchHandler.Partly<TopUp.Result> part = runner.runFree(List.of(pay(ADA), pay(BOB)));
    assertThat(part.busy()).containsExactly(0);
    assertThat(part.answers().get()).singleElement().isInstanceOf(TopUp.Result.Booked.class);
    assertThat(store.balance(BOB)).isEqualTo(5);
    assertThat(told).hasSize(1);
  }

  @Test
  void where_everything_is_held_nothing_is_decided_or_told() {
    store.holdByStranger(ADA);
    BatchHandler.Partly<TopUp.Result> part = runner.runFree(List.of(pay(ADA)));
    assertThat(part.busy()).isEqualTo(Set.of(0));
    assertThat(part.answers().get()).isEmpty();
    assertThat(told).isEmpty();
  }

  @Test
  void who_stands_in_line_is_answered_and_what_was_committed_is_told() {
    assertThat(runner.skips()).isTrue();
    List<TopUp.Result> results = runner.runBriefly(List.of(pay(ADA))).get();
    assertThat(results).singleElement().isInstanceOf(TopUp.Result.Booked.class);
    assertThat(told).hasSize(1);
  }

  @Test
  void a_handler_that_can_skip_nothing_runs_all() {
    BatchHandler<String, String> plain = words -> () -> words;
    assertThat(plain.skips()).isFalse();
    BatchHandler.Partly<String> part = plain.runFree(List.of("a", "b"));
    assertThat(part.busy()).isEmpty();
    assertThat(part.answers().get()).containsExactly("a", "b");
  }
}
