package dev.millrace.postgres.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.port.Signal;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignalTextTest {

  @Test
  void what_is_written_is_read() {
    for (Signal signal :
        new Signal[] {
          new Signal(Set.of(1, 22), Set.of(new UUID(1, 2), new UUID(3, 4)), false),
          new Signal(Set.of(3), Set.of(), false),
          new Signal(Set.of(), Set.of(UUID.randomUUID()), false),
          Signal.EVERYTHING
        }) {
      assertThat(SignalText.read(SignalText.write(signal))).isEqualTo(signal);
    }
  }

  @Test
  void what_would_be_too_long_wakes_everybody() {
    Set<UUID> jobs = new HashSet<>();
    for (int i = 0; i < 213; i++) {
      jobs.add(UUID.randomUUID());
    }
    String fits = SignalText.write(new Signal(Set.of(), jobs, false));
    assertThat(SignalText.read(fits).jobs()).isEqualTo(jobs);
    jobs.add(UUID.randomUUID());
    assertThat(SignalText.read(SignalText.write(new Signal(Set.of(), jobs, false))))
        .isEqualTo(Signal.EVERYTHING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "*", "w", "w1", "x1;j", "wone;j", "w1;jnot-an-id", "w1;2;j", "j;w1"})
  void what_cannot_be_read_wakes_everybody(String garbage) {
    assertThat(SignalText.read(garbage)).isEqualTo(Signal.EVERYTHING);
  }
}
