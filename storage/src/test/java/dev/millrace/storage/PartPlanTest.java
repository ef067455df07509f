package dev.millrace.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class PartPlanTest {

  private static final long MIB = 1L << 20;

  @Test
  void all_parts_have_one_size_but_the_last_has_the_rest() {
    PartPlan plan = PartPlan.of(20 * MIB + 1, 5 * MIB);
    assertThat(plan.numbers()).containsExactly(1, 2, 3, 4, 5);
    assertThat(plan.sizeOf(4)).isEqualTo(5 * MIB);
    assertThat(plan.sizeOf(5)).isEqualTo(1);
    assertThat(PartPlan.of(20 * MIB, 5 * MIB).count()).isEqualTo(4);
    assertThat(PartPlan.of(1, 5 * MIB).sizeOf(1)).isEqualTo(1);
    assertThatIllegalArgumentException().isThrownBy(() -> plan.sizeOf(0));
    assertThatIllegalArgumentException().isThrownBy(() -> plan.sizeOf(6));
  }

  @Test
  void parts_grow_rather_than_become_too_many() {
    PartPlan plan = PartPlan.of(1L << 40, 5 * MIB);
    assertThat(plan.count()).isBetween(999, PartPlan.MOST_PARTS);
    assertThat(plan.numbers().stream().mapToLong(plan::sizeOf).sum()).isEqualTo(1L << 40);
  }

  @Test
  void parts_that_no_store_takes_are_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new PartPlan(10, 5 * MIB - 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new PartPlan(10, (5L << 30) + 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new PartPlan(0, 5 * MIB));
    assertThatIllegalArgumentException().isThrownBy(() -> new PartPlan(5_001 * MIB, 5 * MIB));
    assertThat(new PartPlan(5_000 * MIB, 5 * MIB).count()).isEqualTo(1_000);
  }
}
