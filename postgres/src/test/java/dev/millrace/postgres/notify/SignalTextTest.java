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

  private static final UUID JOB = new UUID(1, 2);
  private static final UUID WORKER = new UUID(5, 6);

  private static Signal jobs(Set<UUID> jobs) {
    return new Signal(Set.of(), jobs, Set.of(), false);
  }

  @Test
  void what_is_written_is_read() {
    for (Signal signal :
        new Signal[] {
          new Signal(Set.of(1, 22), Set.of(JOB, new UUID(3, 4)), Set.of(WORKER), false),
          Signal.ofQueue(3),
          jobs(Set.of(UUID.randomUUID())),
          Signal.ofWorker(WORKER),
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
    String fits = SignalText.write(jobs(jobs));
    assertThat(SignalText.read(fits).jobs()).isEqualTo(jobs);
    jobs.add(UUID.randomUUID());
    assertThat(SignalText.read(SignalText.write(jobs(jobs)))).isEqualTo(Signal.EVERYTHING);
  }

  @Test
  void a_node_of_the_version_before_hears_of_workers_as_it_always_did() {
    Signal signal = new Signal(Set.of(7), Set.of(JOB), Set.of(WORKER), false);
    for (String text : new String[] {SignalText.write(signal), SignalText.write(signal, "n1")}) {
      String asReadBefore = text.substring(text.indexOf('|') + 1);
      assertThat(asReadBefore).isEqualTo("w7,;j" + JOB + "," + WORKER + ",");
    }
    assertThat(SignalText.write(Signal.EVERYTHING, "n1")).endsWith("|*");
  }

  @Test
  void an_id_from_a_node_of_the_version_before_may_be_a_workers() {
    Signal both = new Signal(Set.of(7), Set.of(JOB), Set.of(JOB), false);
    assertThat(SignalText.read("w7,;j" + JOB + ",")).isEqualTo(both);
    assertThat(SignalText.read("n1|w7,;j" + JOB + ",")).isEqualTo(both);
    assertThat(SignalText.read("n1|*")).isEqualTo(Signal.EVERYTHING);
  }

  @Test
  void a_node_knows_its_own_text() {
    String text = SignalText.write(Signal.ofWorker(WORKER), "n1");
    assertThat(SignalText.isOf("n1", text)).isTrue();
    assertThat(SignalText.isOf("n", text)).isFalse();
    assertThat(SignalText.isOf("n12", text)).isFalse();
    assertThat(SignalText.isOf("n1", SignalText.write(Signal.ofWorker(WORKER)))).isFalse();
    assertThat(SignalText.read(text)).isEqualTo(Signal.ofWorker(WORKER));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "w",
        "w1",
        "x1;j",
        "wone;j",
        "w1;jnot-an-id",
        "w1;2;j",
        "j;w1",
        ";kx|w1;j"
      })
  void what_cannot_be_read_wakes_everybody(String garbage) {
    assertThat(SignalText.read(garbage)).isEqualTo(Signal.EVERYTHING);
  }
}
