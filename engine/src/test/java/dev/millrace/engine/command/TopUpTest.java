package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.money.LedgerType;
import dev.millrace.engine.money.Wallet;
import org.junit.jupiter.api.Test;

class TopUpTest {

  private final Bench bench = new Bench();

  @Test
  void a_payment_counts_once_however_often_it_is_told() {
    assertThat(bench.topUp(new TopUp(Bench.ADA, 50, "p1", null)))
        .isInstanceOf(TopUp.Result.Booked.class);
    assertThat(bench.topUp(new TopUp(Bench.ADA, 50, "p1", null)))
        .isInstanceOf(TopUp.Result.Replayed.class);
    assertThat(bench.last().isEmpty()).isTrue();
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(50);
  }

  @Test
  void a_payment_key_is_not_good_for_another_amount() {
    bench.topUp(new TopUp(Bench.ADA, 50, "p1", null));
    assertThat(bench.topUp(new TopUp(Bench.ADA, 500, "p1", null)))
        .isEqualTo(new TopUp.Result.KeyMismatch());
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(50);
  }

  @Test
  void the_same_key_of_another_user_is_another_payment() {
    bench.topUp(new TopUp(Bench.ADA, 50, "p1", null));
    bench.topUp(new TopUp(Bench.BOB, 20, "p1", null));
    assertThat(bench.store.balance(Bench.BOB)).isEqualTo(20);
  }

  @Test
  void a_wallet_that_would_become_too_rich_stays_as_it_is() {
    long most = Long.MAX_VALUE / 4;
    bench.topUp(new TopUp(Bench.ADA, 1, "p1", null));
    WorkingSet set = new WorkingSet(bench.now());
    Wallet wallet = new Wallet(1, Bench.ADA, 1);
    set.book(wallet.book(LedgerType.ADJUSTMENT, most - 6, null, "a gift"));
    bench.store.write(set.changes());

    assertThat(bench.topUp(new TopUp(Bench.ADA, 6, "p2", null)))
        .isInstanceOf(TopUp.Result.TooRich.class);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(most - 5);
    assertThat(bench.topUp(new TopUp(Bench.ADA, 5, "p2", null)))
        .isInstanceOf(TopUp.Result.Booked.class);
  }

  @Test
  void a_payment_has_a_sensible_size() {
    assertThatThrownBy(() -> new TopUp(Bench.ADA, 0, "p", null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TopUp(Bench.ADA, TopUp.MAX_AMOUNT + 1, "p", null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new TopUp(Bench.ADA, TopUp.MAX_AMOUNT, "p", null).amount()).isPositive();
  }

  @Test
  void a_payment_is_never_for_less_and_a_correction_may_be() {
    assertThatThrownBy(() -> new TopUp(Bench.ADA, -5, "p", null))
        .isInstanceOf(IllegalArgumentException.class);
    bench.topUp(new TopUp(Bench.ADA, 5, "p", null));
    assertThat(bench.topUp(TopUp.adjustment(Bench.ADA, -6, "a", "wrong")))
        .isInstanceOf(TopUp.Result.TooPoor.class);
    assertThat(bench.topUp(TopUp.adjustment(Bench.ADA, -5, "b", "wrong")))
        .isInstanceOf(TopUp.Result.Booked.class);
    assertThat(bench.store.balance(Bench.ADA)).isZero();
  }
}
