package dev.millrace.bench.scenario;

import dev.millrace.bench.load.JobLoad;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.load.Soundness;
import dev.millrace.bench.load.Works;
import dev.millrace.bench.measure.Load;
import dev.millrace.bench.measure.MeasureWords;
import dev.millrace.bench.measure.Measured;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import dev.millrace.engine.Engine;
import java.util.List;

/** (b) The paid lifecycle through the engine's lanes, without HTTP. */
public final class BatchedEngine implements Scenario {

  static final int CONNECTIONS = 16;
  private static final List<Integer> CALLERS = List.of(1, 256, 1024);

  /** As the server has it. */
  static final int MAX_BATCH = 256;

  @Override
  public String letter() {
    return "b";
  }

  @Override
  public String title() {
    return "Paid lifecycle through the engine, batched";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    for (int callers : CALLERS) {
      try (Arena arena = site.arena(CONNECTIONS)) {
        Measured measured = lifecycles(arena, callers, sizes);
        Soundness.require(arena, sheet);
        String label = "engine, " + MeasureWords.count(callers, "caller");
        sheet.add("b." + callers, label, measured, "jobs/s");
        double rows = arena.rowsWrittenInAll() / Math.max(1, measured.ever());
        sheet.add("b." + callers + ".rows_per_job", label, rows, "rows/job");
        sheet.add("b." + callers + ".rows_per_s", label, rows * measured.rate(), "rows/s");
      }
    }
  }

  static Measured lifecycles(Arena arena, int callers, Sizes sizes) throws InterruptedException {
    try (Engine engine = arena.engine(MAX_BATCH)) {
      Works works = Works.batched(engine);
      return Load.run(
          sizes.callers(callers),
          sizes.span(),
          caller -> new JobLoad(works, arena.stock().users(), arena.stock().queues(), caller));
    }
  }
}
