package dev.millrace.engine.money;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.money.Hold.Reserved;
import dev.millrace.engine.money.Hold.Settled;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HoldTest {

  private static final UUID JOB = new UUID(7, 7);

  // spotless:off
  @ParameterizedTest(name = "{0} in the wallet, {1} held, {2} charged: {3} captured, {4} left")
  @CsvSource(delimiter = '|', textBlock = """
      # balance | cost                | charge               | captured            | balance after | lines
      100       | 10                  | 10                   | 10                  | 90            | reserve -10 =90, consume 10 =90
      100       | 10                  | 7                    | 7                   | 93            | reserve -10 =90, consume 7 =90, refund 3 =93
      100       | 10                  | 0                    | 0                   | 100           | reserve -10 =90, refund 10 =100
      100       | 10                  | 11                   | 10                  | 90            | reserve -10 =90, consume 10 =90
      100       | 10                  | 9223372036854775807  | 10                  | 90            | reserve -10 =90, consume 10 =90
      100       | 10                  | -1                   | 0                   | 100           | reserve -10 =90, refund 10 =100
      100       | 10                  | -9223372036854775808 | 0                   | 100           | reserve -10 =90, refund 10 =100
      100       | 100                 | 1                    | 1                   | 99            | reserve -100 =0, consume 1 =0, refund 99 =99
      100       | 0                   | 0                    | 0                   | 100           | none
      100       | 0                   | 5                    | 0                   | 100           | none
      0         | 0                   | 0                    | 0                   | 0             | none
      9223372036854775807 | 9223372036854775807 | 9223372036854775806 | 9223372036854775806 | 1     | reserve -9223372036854775807 =0, consume 9223372036854775806 =0, refund 1 =1
      """)
  // spotless:on
  void a_hold_keeps_the_charge_up_to_its_amount_and_gives_back_the_rest(
      long balance, long cost, long charge, long captured, long after, String lines) {
    Reserved reserved = Hold.NONE.reserve(wallet(balance), JOB, cost);
    assertThat(reserved.hold()).isEqualTo(new Hold(1, cost, true, 0));
    assertThat(reserved.hold().refunded()).isZero();

    Settled settled =
        reserved.hold().settle(reserved.wallet(), JOB, Settlement.keeping(charge, cost));
    assertThat(settled.hold()).isEqualTo(new Hold(1, cost, false, captured));
    assertThat(settled.hold().refunded()).isEqualTo(cost - captured);
    assertThat(settled.wallet()).isEqualTo(wallet(after));
    assertThat(words(reserved.lines(), settled.lines())).isEqualTo(lines);
  }

  @Test
  void every_line_names_the_wallet_the_job_and_the_funding() {
    Reserved first = Hold.NONE.reserve(wallet(50), JOB, 10);
    Settled ended = first.hold().settle(first.wallet(), JOB, new Settlement(10, 4));
    Reserved again = ended.hold().reserve(ended.wallet(), JOB, 20);
    assertThat(again.lines())
        .containsExactly(
            new LedgerLine(
                3, LedgerType.JOB_RESERVE, -20, 0, 26, new LedgerLine.Funding(JOB, 2), null, null));
    assertThat(ended.lines())
        .containsExactly(
            new LedgerLine(
                3, LedgerType.JOB_CONSUME, 0, 4, 40, new LedgerLine.Funding(JOB, 1), null, null),
            new LedgerLine(
                3, LedgerType.JOB_REFUND, 6, 0, 46, new LedgerLine.Funding(JOB, 1), null, null));
  }

  @Test
  void settling_twice_is_a_bug() {
    Reserved reserved = Hold.NONE.reserve(wallet(50), JOB, 10);
    Settled settled = reserved.hold().settle(reserved.wallet(), JOB, new Settlement(10, 10));
    assertThatThrownBy(() -> settled.hold().settle(settled.wallet(), JOB, new Settlement(10, 10)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no open hold");
    assertThatThrownBy(() -> Hold.NONE.settle(wallet(50), JOB, new Settlement(0, 0)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void settling_a_free_job_twice_is_a_bug_too() {
    Reserved free = Hold.NONE.reserve(wallet(0), JOB, 0);
    Settled settled = free.hold().settle(free.wallet(), JOB, new Settlement(0, 0));
    assertThatThrownBy(() -> settled.hold().settle(settled.wallet(), JOB, new Settlement(0, 0)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_settlement_of_another_hold_is_a_bug() {
    Reserved reserved = Hold.NONE.reserve(wallet(50), JOB, 10);
    assertThatThrownBy(() -> reserved.hold().settle(reserved.wallet(), JOB, new Settlement(11, 10)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Settlement(10, 11)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Settlement(10, -1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void reserving_over_an_open_hold_is_a_bug() {
    Reserved reserved = Hold.NONE.reserve(wallet(50), JOB, 10);
    assertThatThrownBy(() -> reserved.hold().reserve(reserved.wallet(), JOB, 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("open hold already");
  }

  @Test
  void more_than_the_wallet_has_is_never_reserved() {
    assertThatThrownBy(() -> Hold.NONE.reserve(wallet(9), JOB, 10))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "-1,false,0",
    "10,false,11",
    "10,false,-1",
    "10,true,1",
    "-9223372036854775808,true,0"
  })
  void a_hold_that_makes_no_sense_does_not_exist(long amount, boolean open, long captured) {
    assertThatThrownBy(() -> new Hold(1, amount, open, captured))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_refund_that_would_overflow_is_refused_and_not_wrapped() {
    Hold hold = new Hold(1, 10, true, 0);
    assertThatThrownBy(() -> hold.settle(wallet(Long.MAX_VALUE - 9), JOB, new Settlement(10, 0)))
        .isInstanceOf(ArithmeticException.class);
  }

  private static Wallet wallet(long balance) {
    return new Wallet(3, new Wallet.Owner(1, "ada"), balance);
  }

  private static String words(List<LedgerLine> reserved, List<LedgerLine> settled) {
    StringBuilder words = new StringBuilder();
    for (List<LedgerLine> lines : List.of(reserved, settled)) {
      for (LedgerLine line : lines) {
        words
            .append(words.isEmpty() ? "" : ", ")
            .append(line.type().label().replace("job_", ""))
            .append(' ')
            .append(line.type() == LedgerType.JOB_CONSUME ? line.captured() : line.amount())
            .append(" =")
            .append(line.balanceAfter());
      }
    }
    return words.isEmpty() ? "none" : words.toString();
  }
}
