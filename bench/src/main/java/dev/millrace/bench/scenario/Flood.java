package dev.millrace.bench.scenario;

import dev.millrace.bench.load.JobLoad;
import dev.millrace.bench.load.LoadOrders;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.load.Soundness;
import dev.millrace.bench.measure.Load;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import dev.millrace.bench.place.Stock;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * (h) Two hundred tenants share one queue and a small fleet. First all are quiet; then one of them
 * keeps thousands of jobs waiting. What the others wait is read from the database's own times.
 */
public final class Flood implements Scenario {

  private static final int CONNECTIONS = 16;
  private static final int WORKERS = 16;

  /**
   * A job takes 20 milliseconds on average. If all took as long, those that were leased in one
   * batch would end in one batch: the fleet would go in step, and whoever comes would wait for the
   * end of a step, whatever the queue does.
   */
  private static final long SHORTEST_MILLIS = 10;

  private static final long LONGEST_MILLIS = 30;

  /** Quiet users, each of which pauses this long on average: a hundred jobs a second. */
  private static final int QUIET = 50;

  private static final long PAUSE_MILLIS = 500;
  private static final int FLOODERS = 8;
  private static final int MOST_ROUNDS = 50;

  @Override
  public String letter() {
    return "h";
  }

  @Override
  public String title() {
    return "One tenant of 200 floods the queue";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    measure(site, sizes, sheet, "calm", 0);
    measure(site, sizes, sheet, "flood", sizes.flood());
  }

  private static void measure(Site site, Sizes sizes, Sheet sheet, String name, int flood)
      throws Exception {
    try (Arena arena = site.arena(CONNECTIONS)) {
      Semaphore queued = new Semaphore(0);
      try (Engine engine = arena.engine(BatchedEngine.MAX_BATCH, c -> release(queued, c))) {
        Town town = new Town(engine, arena.stock(), queued, flood, sizes);
        // A short time on a busy machine can end before anybody's turn.
        for (int round = 0; round < MOST_ROUNDS && !measurable(arena, sizes, flood); round++) {
          town.live();
        }
      }
      Soundness.require(arena, sheet);
      waits(arena, sheet, name, "p50_ms", 0.5, sizes);
      waits(arena, sheet, name, "p99_ms", 0.99, sizes);
      if (flood > 0) {
        String label = "jobs of the flooding tenant that were done";
        sheet.add("h.flood.jobs", label, done(arena), "jobs");
      }
    }
  }

  private static void release(Semaphore queued, Changes changes) {
    queued.release(changes.created().size());
  }

  private static boolean measurable(Arena arena, Sizes sizes, int flood) {
    double waited = arena.ask("select count(*)" + ofTheQuiet(arena, sizes));
    return waited > 0 && (flood == 0 || done(arena) > 0);
  }

  private static double done(Arena arena) {
    return arena.ask(
        "select count(*) from job where state = 'completed' and tenant_id = " + flooder(arena));
  }

  private static int flooder(Arena arena) {
    return arena.stock().users().getFirst().tenant();
  }

  private static String ofTheQuiet(Arena arena, Sizes sizes) {
    return """
     from job
    where tenant_id <> %d
      and started_at > created_at
      and created_at > (select min(created_at) from job) + %d * interval '1 ms'
    """
        .formatted(flooder(arena), sizes.span().warmUp().toMillis());
  }

  private static void waits(
      Arena arena, Sheet sheet, String name, String unit, double part, Sizes sizes) {
    double milliseconds =
        arena.ask(
            "select extract(epoch from percentile_disc(%s) within group (".formatted(part)
                + "order by started_at - created_at)) * 1000"
                + ofTheQuiet(arena, sizes));
    String label = "quiet tenants' wait, " + name + ", p" + Math.round(part * 100);
    sheet.add("h." + name + ".wait." + unit, label, milliseconds, "ms");
  }

  /** Those who submit and those who work. */
  private static final class Town {
    private final Engine engine;
    private final Stock stock;
    private final Stock.Queue queue;
    private final Semaphore queued;
    private final int flood;
    private final int flooder;
    private final AtomicInteger floodWaiting = new AtomicInteger();
    private final Sizes sizes;
    private final long pause;

    Town(Engine engine, Stock stock, Semaphore queued, int flood, Sizes sizes) {
      this.sizes = sizes;
      this.pause = Math.min(PAUSE_MILLIS, sizes.span().measure().toMillis() / 5);
      this.engine = engine;
      this.stock = stock;
      this.queue = stock.queues().getFirst();
      this.queued = queued;
      this.flood = flood;
      this.flooder = stock.users().getFirst().tenant();
    }

    void live() throws InterruptedException {
      int flooders = flood > 0 ? FLOODERS : 0;
      Load.run(WORKERS + QUIET + flooders, sizes.span(), this::person);
    }

    private Load.Caller person(int number) {
      if (number < WORKERS) {
        LeaseJobs asking = new LeaseJobs("worker-" + number, List.of(queue.workflow()), 1);
        return meter -> {
          if (queued.tryAcquire(50, TimeUnit.MILLISECONDS)) {
            work(asking);
            meter.done();
          }
        };
      }
      return number < WORKERS + QUIET ? _ -> askNowAndThen() : _ -> keepFlooding();
    }

    private void work(LeaseJobs asking) throws InterruptedException {
      List<Leased> found = engine.lease(asking);
      if (found.isEmpty()) {
        queued.release();
      }
      for (Leased leased : found) {
        if (leased.job().id().tenant() == flooder) {
          floodWaiting.decrementAndGet();
        }
        Thread.sleep(ThreadLocalRandom.current().nextLong(SHORTEST_MILLIS, LONGEST_MILLIS + 1));
        JobLoad.require(engine.report(LoadOrders.complete(leased)));
      }
    }

    /** Of any tenant but the flooder, which has the first users. */
    private void askNowAndThen() throws InterruptedException {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      Thread.sleep(random.nextLong(2 * pause));
      int user = random.nextInt(Stock.USERS_EACH, stock.users().size());
      submit(stock.users().get(user));
    }

    private void keepFlooding() throws InterruptedException {
      if (floodWaiting.incrementAndGet() > flood) {
        floodWaiting.decrementAndGet();
        Thread.sleep(1);
      } else {
        submit(stock.users().getFirst());
      }
    }

    private void submit(Wallet.Owner user) throws InterruptedException {
      JobLoad.require(engine.submit(LoadOrders.of(user, queue)));
    }
  }
}
