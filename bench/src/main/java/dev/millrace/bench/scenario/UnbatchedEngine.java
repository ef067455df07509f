package dev.millrace.bench.scenario;

import dev.millrace.bench.load.JobLoad;
import dev.millrace.bench.load.Median;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.load.Soundness;
import dev.millrace.bench.load.Works;
import dev.millrace.bench.measure.Load;
import dev.millrace.bench.measure.Measured;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import dev.millrace.engine.Engine;
import java.util.ArrayList;
import java.util.List;

/**
 * (c) The same as (b) with one transaction for each command, as well as that can be done: without
 * lanes, on several numbers of connections, and with lanes and a batch of one; the best of them
 * counts. In turns with them the engine as it is, so that whatever else the machine does hits both
 * alike; of those measures the middle one counts.
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
    List<Measured> batched = new ArrayList<>();
    double best = 0;
    for (int connections : CONNECTIONS) {
      batched.add(batched(site, sizes, sheet));
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
    batched.add(batched(site, sizes, sheet));
    try (Arena arena = site.arena(16)) {
      Measured measured;
      try (Engine engine = arena.engine(1)) {
        measured = lifecycles(arena, Works.batched(engine), sizes);
      }
      Soundness.require(arena, sheet);
      sheet.add("c.256.lanes", "lanes with a batch of one, 256 callers", measured, "jobs/s");
      best = Math.max(best, measured.rate());
    }
    batched.add(batched(site, sizes, sheet));
    sheet.add("c.256.per_s", "unbatched, 256 callers, the best of these", best, "jobs/s");
    double middle = Median.of(batched).rate();
    sheet.add("c.batched.per_s", "batched, 256 callers, in turns with these", middle, "jobs/s");
  }

  private static Measured batched(Site site, Sizes sizes, Sheet sheet) throws InterruptedException {
    try (Arena arena = site.arena(BatchedEngine.CONNECTIONS)) {
      Measured measured = BatchedEngine.lifecycles(arena, CALLERS, sizes);
      Soundness.require(arena, sheet);
      return measured;
    }
  }

  private static Measured lifecycles(Arena arena, Works works, Sizes sizes)
      throws InterruptedException {
    return Load.run(
        sizes.callers(CALLERS),
        sizes.span(),
        caller -> new JobLoad(works, arena.stock().users(), arena.stock().queues(), caller));
  }
}
