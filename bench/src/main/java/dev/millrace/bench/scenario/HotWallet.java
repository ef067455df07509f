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
import dev.millrace.engine.money.Wallet;
import java.util.ArrayList;
import java.util.List;

/** (f) All jobs paid from one wallet, against jobs paid from many. */
public final class HotWallet implements Scenario {

  private static final int CALLERS = 256;
  private static final int CONNECTIONS = 16;

  @Override
  public String letter() {
    return "f";
  }

  @Override
  public String title() {
    return "One hot wallet against many";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    List<Measured> many = new ArrayList<>();
    List<Measured> one = new ArrayList<>();
    // In turns, so that whatever else the machine does hits both alike.
    for (int round = 0; round < sizes.rounds(); round++) {
      many.add(measure(site, sizes, sheet, Integer.MAX_VALUE));
      one.add(measure(site, sizes, sheet, 1));
    }
    sheet.add("f.many", "1,000 wallets, 256 callers", Median.of(many), "jobs/s");
    sheet.add("f.one", "one wallet, 256 callers", Median.of(one), "jobs/s");
  }

  private static Measured measure(Site site, Sizes sizes, Sheet sheet, int most)
      throws InterruptedException {
    try (Arena arena = site.arena(CONNECTIONS)) {
      List<Wallet.Owner> all = arena.stock().users();
      List<Wallet.Owner> users = all.subList(0, Math.min(most, all.size()));
      Measured measured;
      try (Engine engine = arena.engine(BatchedEngine.MAX_BATCH)) {
        Works works = Works.batched(engine);
        measured =
            Load.run(
                sizes.callers(CALLERS),
                sizes.span(),
                caller -> new JobLoad(works, users, arena.stock().queues(), caller));
      }
      Soundness.require(arena, sheet);
      return measured;
    }
  }
}
