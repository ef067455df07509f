package dev.millrace.engine.sim.bugs;

import dev.millrace.engine.memory.BrokenLaw;
import dev.millrace.engine.sim.Simulation;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks for the first seed that notices a bug. */
final class Hunt {

  static final int MOST_SEEDS = 1_000;

  private static @Nullable List<Optional<Caught>> caught;

  private Hunt() {}

  /**
   * A bug that was noticed.
   *
   * @param law what it broke first
   * @param seeds how many schedules it took
   */
  record Caught(Planted bug, String law, int seeds) {}

  /** One for each bug, in their order; empty where none of the seeds noticed. */
  static synchronized List<Optional<Caught>> all() {
    if (caught == null) {
      caught = Planted.all().stream().map(Hunt::hunt).toList();
    }
    return caught;
  }

  private static Optional<Caught> hunt(Planted planted) {
    for (int seed = 1; seed <= MOST_SEEDS; seed++) {
      BrokenLaw broken = Simulation.inMemory(seed, planted.bug().get()).broken();
      if (broken != null) {
        return Optional.of(new Caught(planted, broken.law(), seed));
      }
    }
    return Optional.empty();
  }
}
