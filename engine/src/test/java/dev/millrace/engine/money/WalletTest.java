package dev.millrace.engine.money;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WalletTest {

  private static final Wallet.Owner ADA = new Wallet.Owner(1, "ada");

  @ParameterizedTest
  @CsvSource({"10,10,true", "10,11,false", "0,0,true", "0,1,false", "10,9223372036854775807,false"})
  void a_wallet_covers_what_it_has(long balance, long amount, boolean covers) {
    assertThat(new Wallet(1, ADA, balance).covers(amount)).isEqualTo(covers);
  }

  @Test
  void a_payment_leaves_a_line_with_the_balance_after_it() {
    Wallet.Entry entry = new Wallet(1, ADA, 5).book(LedgerType.PAYMENT_CREDIT, 20, "k", "card");
    assertThat(entry.wallet()).isEqualTo(new Wallet(1, ADA, 25));
    assertThat(entry.line())
        .isEqualTo(new LedgerLine(1, LedgerType.PAYMENT_CREDIT, 20, 0, 25, null, "k", "card"));
  }

  @Test
  void an_adjustment_may_take_all_but_not_more() {
    Wallet wallet = new Wallet(1, ADA, 5);
    assertThat(wallet.book(LedgerType.ADJUSTMENT, -5, null, null).wallet().balance()).isZero();
    assertThatThrownBy(() -> wallet.book(LedgerType.ADJUSTMENT, -6, null, null))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_payment_that_would_overflow_is_refused_and_not_wrapped() {
    Wallet rich = new Wallet(1, ADA, Long.MAX_VALUE);
    assertThatThrownBy(() -> rich.book(LedgerType.PAYMENT_CREDIT, 1, "k", null))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void no_wallet_is_below_zero() {
    assertThatThrownBy(() -> new Wallet(1, ADA, -1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_user_id_has_1_to_200_characters() {
    assertThat(new Wallet.Owner(1, "a".repeat(200)).user()).hasSize(200);
    assertThatThrownBy(() -> new Wallet.Owner(1, "a".repeat(201)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Wallet.Owner(1, " ")).isInstanceOf(IllegalArgumentException.class);
  }
}
