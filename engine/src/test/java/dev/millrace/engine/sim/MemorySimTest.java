package dev.millrace.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.lifecycle.Edge;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** All laws hold after every schedule in memory. */
class MemorySimTest {

  private static final int SCHEDULES = 20_000;
  private static final int LONG_RUN = 50;

  @Test
  void all_laws_hold_after_every_schedule_and_between_them_they_take_every_way() {
    Long only = Long.getLong("millrace.sim.seed");
    if (only != null) {
      Simulation.inMemory(only, Bug.NONE).mustBeFine();
      return;
    }
    long schedules = SCHEDULES * (Boolean.getBoolean("millrace.long") ? (long) LONG_RUN : 1L);
    Set<Edge> taken = ConcurrentHashMap.newKeySet();
    Set<String> secondEnds = ConcurrentHashMap.newKeySet();
    LongStream.rangeClosed(1, schedules)
        .parallel()
        .forEach(seed -> {
          Simulation.Outcome outcome = Simulation.inMemory(seed, Bug.NONE);
          outcome.mustBeFine();
          taken.addAll(outcome.steps());
          secondEnds.addAll(outcome.secondEnds());
        });
    assertThat(taken).containsAll(ways());
    assertThat(secondEnds)
        .as("a second life ends in as many ways as a first one")
        .contains(
            "completed charged",
            "completed reviewed charged",
            "rejected reviewed",
            "rejected reviewed charged",
            "expired reviewed",
            "canceled",
            "failed",
            "dead_letter",
            "deleted");
  }

  /** All of the table but two that no command takes: the queue and the cancel come first. */
  private static List<Edge> ways() {
    return Lifecycle.edges().stream()
        .filter(edge -> !(edge.from() == State.PENDING && edge.trigger() == Trigger.LEASE))
        .filter(edge -> !(edge.from() == State.CANCELING && edge.trigger() == Trigger.DEADLINE))
        .toList();
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
