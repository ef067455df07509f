package dev.millrace.engine.money;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceTest {

  // spotless:off
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      # unit | rate                | held                | units                | charge
      JOB    | 0                   | 10                  | 0                    | 10
      JOB    | 7                   | 10                  | 1000                 | 10
      JOB    | 0                   | 0                   | 3                    | 0
      OUTPUT | 3                   | 10                  | 0                    | 0
      OUTPUT | 3                   | 10                  | 1                    | 3
      OUTPUT | 3                   | 10                  | 3                    | 9
      OUTPUT | 3                   | 10                  | 4                    | 10
      OUTPUT | 3                   | 0                   | 4                    | 0
      OUTPUT | 0                   | 10                  | 9223372036854775807  | 0
      OUTPUT | 3                   | 10                  | -1                   | 0
      SECOND | 2                   | 10                  | 5                    | 10
      SECOND | 11                  | 10                  | 1                    | 10
      SECOND | 2                   | 9223372036854775807 | 9223372036854775807  | 9223372036854775807
      SECOND | 2                   | 9223372036854775807 | 4611686018427387903  | 9223372036854775806
      SECOND | 9223372036854775807 | 10                  | 9223372036854775807  | 10
      SECOND | 9223372036854775807 | 9223372036854775807 | 1                    | 9223372036854775807
      SECOND | 9223372036854775807 | 10                  | -9223372036854775808 | 0
      """)
  // spotless:on
  void a_charge_is_the_rate_of_its_units_and_never_more_than_was_held(
      Price.Unit unit, long rate, long held, long units, long charge) {
    assertThat(new Price(unit, rate).charge(held, units)).isEqualTo(charge);
  }

  @Test
  void a_negative_rate_would_mint_and_is_refused() {
    assertThatThrownBy(() -> new Price(Price.Unit.OUTPUT, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
