package dev.millrace.postgres.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * What is promised of a listener that nobody speaks to, as a sum; a test of it must wait longer.
 */
class WakeupLimitsTest {

  @Test
  void a_listener_whose_packets_are_swallowed_notices_within_five_seconds() {
    assertThat(Wakeups.LOOK.plus(Wakeups.ANSWER)).isLessThanOrEqualTo(Duration.ofSeconds(5));
  }
}
