package dev.millrace.bench.scenario;

import dev.millrace.bench.load.Copies;
import dev.millrace.bench.load.Filling;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.load.Soundness;
import dev.millrace.bench.measure.MeasureWords;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import dev.millrace.bench.place.Stock;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** (e) How fast jobs are leased, with few and with many finished jobs behind them. */
public final class LongHistory implements Scenario {

  private static final int CALLERS = 256;
  private static final int CONNECTIONS = 16;
  private static final int ORIGINALS = 1000;

  /** The first fifth warms up, and the last of the backlog is not enough for all callers. */
  private static final double FROM = 0.2;

  private static final double TO = 0.95;

  @Override
  public String letter() {
    return "e";
  }

  @Override
  public String title() {
    return "Leases behind a long history";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    measure(site, sizes, sheet, "e.few", sizes.finishedFew());
    measure(site, sizes, sheet, "e.many", sizes.finishedMany());
  }

  private static void measure(Site site, Sizes sizes, Sheet sheet, String key, int finished)
      throws Exception {
    try (Arena arena = site.arena(CONNECTIONS)) {
      double rate;
      try (Engine engine = arena.engine(BatchedEngine.MAX_BATCH)) {
        int originals = Math.min(ORIGINALS, finished / 2);
        Filling.finished(engine, arena.stock(), originals);
        Copies.add(arena, finished - originals);
        Stock stock = arena.stock();
        Filling.waiting(engine, stock.users(), stock.queues(), sizes.backlog());
        arena.execute("vacuum analyze", "checkpoint");
        rate = leases(engine, stock, sizes);
      }
      Soundness.require(arena, sheet);
      String label = "leases behind " + MeasureWords.count(finished, "finished job");
      sheet.add(key + ".per_s", label, rate, "leases/s");
    }
  }

  /** Leases the whole backlog, one job a call, and times the middle of it. */
  private static double leases(Engine engine, Stock stock, Sizes sizes) throws Exception {
    AtomicLong taken = new AtomicLong();
    AtomicLong start = new AtomicLong();
    AtomicLong end = new AtomicLong();
    long from = (long) (sizes.backlog() * FROM);
    long to = (long) (sizes.backlog() * TO);
    List<Future<?>> callers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < sizes.callers(CALLERS); i++) {
        int caller = i;
        callers.add(
            threads.submit(() -> {
              LeaseJobs asking = asking(stock, caller);
              while (!engine.lease(asking).isEmpty()) {
                long count = taken.incrementAndGet();
                if (count == from) {
                  start.set(System.nanoTime());
                } else if (count == to) {
                  end.set(System.nanoTime());
                }
              }
              return caller;
            }));
      }
    }
    for (Future<?> caller : callers) {
      caller.get();
    }
    return (to - from) / ((end.get() - start.get()) / 1e9);
  }

  /** Each knows every queue, as whoever takes anything does. */
  private static LeaseJobs asking(Stock stock, int caller) {
    List<Integer> all = stock.queues().stream().map(Stock.Queue::workflow).toList();
    return new LeaseJobs("worker-" + caller, all, 1);
  }
}
