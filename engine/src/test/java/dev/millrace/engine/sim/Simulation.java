package dev.millrace.engine.sim;

import dev.millrace.engine.lifecycle.Edge;
import dev.millrace.engine.memory.BrokenLaw;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Plays the schedule of a seed. */
public final class Simulation {

  private Simulation() {}

  /**
   * How a schedule went.
   *
   * @param hash of everything that happened
   * @param broken null if all laws held
   * @param steps the ways of the table that jobs took
   * @param secondEnds how jobs ended that were retried in place
   */
  public record Outcome(
      long seed,
      String hash,
      int lines,
      @Nullable BrokenLaw broken,
      String story,
      Set<Edge> steps,
      Set<String> secondEnds) {

    /** Fails as a test should: with the seed, the hash, what happened last, and how to replay. */
    public void mustBeFine() {
      if (broken != null) {
        throw new AssertionError(story, broken);
      }
    }
  }

  public static Outcome inMemory(long seed, Bug bug) {
    return play(seed, bug, MemoryStage::new);
  }

  /** Plays on a stage that listens to the faults it is given. */
  public static Outcome play(long seed, Bug bug, Function<Faults, Stage> stages) {
    Chance chance = new Chance(seed);
    EventLog log = new EventLog();
    Faults faults = new Faults(chance, log);
    BrokenLaw broken = null;
    Set<Edge> steps = Set.of();
    Set<String> secondEnds = Set.of();
    try {
      World world = new World(chance, log, faults, stages.apply(faults), bug);
      world.play();
      steps = world.steps();
      secondEnds = world.secondEnds();
    } catch (BrokenLaw e) {
      broken = e;
      log.add("broken: " + e.law());
    }
    int lines = log.lines();
    String story = "";
    String hash = log.hash();
    if (broken != null) {
      story =
          "%s%nseed %d, event log %s, %d lines; replay it with -Dmillrace.sim.seed=%d%n%s"
              .formatted(
                  broken.getMessage(), seed, hash, lines, seed, String.join("\n", log.newest()));
    }
    return new Outcome(seed, hash, lines, broken, story, steps, secondEnds);
  }
}
