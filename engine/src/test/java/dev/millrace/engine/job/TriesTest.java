package dev.millrace.engine.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TriesTest {

  @Test
  void attempts_failures_and_interruptions_are_counted_apart() {
    Tries tries = Tries.none(3, 10).started().failed().started().interrupted().started();
    assertThat(tries).isEqualTo(new Tries(3, 1, 1, 3, 10));
  }

  @Test
  void tries_are_used_up_at_the_cap_and_not_before() {
    Tries once = Tries.none(2, 2).failed().interrupted();
    assertThat(once.failuresUsedUp()).isFalse();
    assertThat(once.interruptionsUsedUp()).isFalse();
    assertThat(once.failed().failuresUsedUp()).isTrue();
    assertThat(once.failed().interruptionsUsedUp()).isFalse();
    assertThat(once.interrupted().interruptionsUsedUp()).isTrue();
    assertThat(once.interrupted().failuresUsedUp()).isFalse();
  }

  @Test
  void counting_beyond_the_cap_is_a_bug() {
    Tries last = Tries.none(1, 1).failed().interrupted();
    assertThatThrownBy(last::failed).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(last::interrupted).isInstanceOf(IllegalStateException.class);
  }
}
