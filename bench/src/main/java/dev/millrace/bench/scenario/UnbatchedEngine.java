package dev.millrace.bench.scenario;

import dev.millrace.bench.measure.Load;
import dev.millrace.bench.measure.Measured;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import dev.millrace.engine.Engine;
import java.util.List;

/**
 * (c) The same as (b) with one transaction for each command, as well as that can be done: without
 * lanes, on several numbers of connections, of which the best counts. Beside it the engine itself
 * with a batch of one.
 */
public final class UnbatchedEngine implements Scenario {

  private static final List<Integer> CONNECTIONS = List.of(8, 16, 32);
  private static final int CALLERS = 256;

  @Override
  public String letter() {
    return "c";
  }

  @Override
  public String title() {
    return "The same, one transaction per command";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    double best = 0;
    for (int connections : CONNECTIONS) {
      // Half of a pool is the engine's.
      try (Arena arena = site.arena(2 * connections)) {
        Works works = Works.eachByItself(arena.store(), connections);
        Measured measured = lifecycles(arena, works, sizes);
        Soundness.require(arena, sheet);
        String label = "unbatched, 256 callers, " + connections + " connections";
        sheet.add("c.256." + connections, label, measured, "jobs/s");
        best = Math.max(best, measured.rate());
      }
    }
    try (Arena arena = site.arena(16)) {
      Measured measured;
      try (Engine engine = arena.engine(1)) {
        measured = lifecycles(arena, Works.batched(engine), sizes);
      }
      Soundness.require(arena, sheet);
      sheet.add("c.256.lanes", "lanes with a batch of one, 256 callers", measured, "jobs/s");
      best = Math.max(best, measured.rate());
    }
    sheet.add("c.256.per_s", "unbatched, 256 callers, the best of these", best, "jobs/s");
  }

  private static Measured lifecycles(Arena arena, Works works, Sizes sizes)
      throws InterruptedException {
    return Load.run(
        sizes.callers(CALLERS),
        sizes.span(),
        caller -> new Lifecycle(works, arena.stock().users(), arena.stock().queues(), caller));
  }
}
