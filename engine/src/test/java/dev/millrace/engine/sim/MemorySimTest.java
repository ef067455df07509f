package dev.millrace.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** All laws hold after every schedule in memory. */
class MemorySimTest {

  private static final int SCHEDULES = 20_000;
  private static final int LONG_RUN = 50;

  @Test
  void all_laws_hold_after_every_schedule() {
    Long only = Long.getLong("millrace.sim.seed");
    if (only != null) {
      Simulation.inMemory(only, Bug.NONE).mustBeFine();
      return;
    }
    long schedules = SCHEDULES * (Boolean.getBoolean("millrace.long") ? (long) LONG_RUN : 1L);
    LongStream.rangeClosed(1, schedules)
        .parallel()
        .forEach(seed -> Simulation.inMemory(seed, Bug.NONE).mustBeFine());
  }

  @Test
  void the_same_seed_tells_the_same_story() {
    for (long seed = 1; seed <= 50; seed++) {
      Simulation.Outcome first = Simulation.inMemory(seed, Bug.NONE);
      assertThat(first.lines()).isGreaterThan(100);
      assertThat(Simulation.inMemory(seed, Bug.NONE).hash()).isEqualTo(first.hash());
    }
  }
}
