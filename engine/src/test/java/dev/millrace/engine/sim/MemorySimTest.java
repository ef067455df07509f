package dev.millrace.engine.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.lifecycle.Edge;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** All laws hold after every schedule in memory. */
class MemorySimTest {

  private static final int SCHEDULES = 20_000;
  private static final int LONG_RUN = 50;
  private static final Set<Trigger> NOT_YET =
      EnumSet.of(Trigger.POLICY_RECHECK, Trigger.APPROVE, Trigger.DECLINE, Trigger.RETRY_IN_PLACE);

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
  void between_them_the_schedules_take_every_way_that_a_command_can_take() {
    Set<Edge> taken = new HashSet<>();
    for (long seed = 1; seed <= 1000; seed++) {
      taken.addAll(Simulation.inMemory(seed, Bug.NONE).steps());
    }
    assertThat(taken).containsAll(reachable());
  }

  /** What no command can do yet is left out. */
  private static List<Edge> reachable() {
    return Lifecycle.edges().stream()
        .filter(edge -> edge.from() != State.SUBMITTED && edge.to() != State.SUBMITTED)
        .filter(edge -> edge.to() != State.BLOCKED)
        .filter(edge -> !NOT_YET.contains(edge.trigger()))
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
