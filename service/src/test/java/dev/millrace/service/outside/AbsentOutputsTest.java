package dev.millrace.service.outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AbsentOutputsTest {

  private static final UUID ONE = new UUID(0, 1);

  private Instant now = Instant.EPOCH;
  private final AbsentOutputs absent = new AbsentOutputs(() -> now);

  @Test
  void an_absent_output_is_looked_for_less_and_less_often_and_given_up_after_some_minutes() {
    assertThat(absent.pause(ONE)).contains(Duration.ofSeconds(5));
    now = now.plusSeconds(5);
    assertThat(absent.pause(ONE)).contains(Duration.ofSeconds(5));
    now = now.plusSeconds(15);
    assertThat(absent.pause(ONE)).contains(Duration.ofSeconds(20));
    now = now.plusSeconds(100);
    assertThat(absent.pause(ONE)).contains(Duration.ofMinutes(1));
    now = Instant.EPOCH.plus(AbsentOutputs.PATIENCE);
    assertThat(absent.pause(ONE)).isEqualTo(Optional.empty());
  }

  @Test
  void each_attempt_has_a_patience_of_its_own() {
    assertThat(absent.pause(ONE)).isPresent();
    now = now.plus(AbsentOutputs.PATIENCE);
    assertThat(absent.pause(new UUID(0, 2))).contains(Duration.ofSeconds(5));
    assertThat(absent.pause(ONE)).isEmpty();
  }

  @Test
  void an_attempt_that_has_what_it_waited_for_is_forgotten() {
    absent.pause(ONE);
    now = now.plus(AbsentOutputs.FORGOTTEN).plusSeconds(1);
    assertThat(absent.pause(ONE)).contains(Duration.ofSeconds(5));
  }
}
