package dev.millrace.bench.scenario;

import dev.millrace.bench.http.HttpClient;
import dev.millrace.bench.http.LiveHeap;
import dev.millrace.bench.http.ServerProcess;
import dev.millrace.bench.load.Clients;
import dev.millrace.bench.load.OpenFiles;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.load.Soundness;
import dev.millrace.bench.load.TempFolder;
import dev.millrace.bench.measure.Meter;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ThreadLocalRandom;

/**
 * (d) How soon an idle worker that waits in a long poll has a new job. Measured from the call of
 * the submit, as with the peers, and from the moment that the database stamped on the job. Then the
 * same with thousands of them, and what they cost while nothing happens.
 */
public final class Pickup implements Scenario {

  private static final int WORKERS = 16;
  private static final int WARM_UP = 20;

  /** Connections tell the database's statistics what they did once a second. */
  private static final Duration SETTLING = Duration.ofSeconds(2);

  private static final int MOST_SETTLING = 15;

  @Override
  public String letter() {
    return "d";
  }

  @Override
  public String title() {
    return "Pickup by an idle fleet";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    try (Arena arena = site.arena(8);
        TempFolder folder = new TempFolder(site);
        ServerProcess server = ServerProcess.start(arena, folder.path(), Clients.FLEET)) {
      ServerWarmUp.run(server, sizes);
      try (IdleFleet fleet = new IdleFleet(server, WORKERS, 0)) {
        Meter meter = pickUps(arena, new HttpClient(server, 0), fleet, sizes);
        sheet.add("d.pickup", "pickup, from the submit's call", meter.times("call"));
        sheet.add("d.stamp", "pickup, from the job's own time", meter.times("stamp"));
      }
      large(arena, server, sizes, sheet);
      Soundness.require(arena, sheet);
    }
  }

  private static void large(Arena arena, ServerProcess server, Sizes sizes, Sheet sheet)
      throws Exception {
    int polls = OpenFiles.possible(sizes.polls(), "poll", sheet);
    long heapBefore = LiveHeap.bytes(server.pid());
    double threadsBefore = server.threads();
    try (IdleFleet fleet = new IdleFleet(server, polls, 1)) {
      settle(arena, polls);
      double heap = LiveHeap.bytes(server.pid()) - heapBefore;
      sheet.add("d.polls", "long polls that wait", polls, "polls");
      sheet.add("d.polls.idle_kib", "heap of a long poll", heap / 1024 / polls, "KiB");
      sheet.add(
          "d.polls.threads",
          "threads of the system that they add",
          Math.max(0, server.threads() - threadsBefore),
          "threads");
      sheet.add(
          "d.polls.transactions",
          "transactions of the whole system meanwhile",
          transactions(arena, sizes.span().measure().plus(SETTLING)),
          "tx/s");
      Meter meter = pickUps(arena, new HttpClient(server, 1), fleet, sizes);
      sheet.add("d.polls.pickup", "pickup by one of them", meter.times("call"));
    }
  }

  /** Until all have looked once and wait: then hardly anything is asked any more. */
  private static void settle(Arena arena, int polls) throws InterruptedException {
    for (int i = 0; i < MOST_SETTLING; i++) {
      if (transactions(arena, SETTLING) < polls / 20.0) {
        return;
      }
    }
  }

  /** How many a second. */
  private static double transactions(Arena arena, Duration time) throws InterruptedException {
    String committed =
        "select xact_commit from pg_stat_database where datname = '" + arena.name() + "'";
    double before = arena.ask(committed);
    Thread.sleep(time);
    return (arena.ask(committed) - before) * 1000 / time.toMillis();
  }

  private static Meter pickUps(Arena arena, HttpClient product, IdleFleet fleet, Sizes sizes)
      throws Exception {
    Meter meter = new Meter();
    try (product) {
      for (int i = 0; i < WARM_UP + sizes.pickups(); i++) {
        if (i == WARM_UP) {
          meter.on();
        }
        pickUp(arena, product, fleet, meter);
      }
    }
    return meter;
  }

  private static void pickUp(Arena arena, HttpClient product, IdleFleet fleet, Meter meter)
      throws Exception {
    long start = System.nanoTime();
    String job = product.submit();
    IdleFleet.Arrival arrival = fleet.await(job);
    meter.took("call", arrival.nanos() - start);
    double stamp =
        arena.ask("select extract(epoch from created_at) from job where id = '" + job + "'");
    double reached = ChronoUnit.MICROS.between(Instant.EPOCH, arrival.at()) / 1e6;
    meter.took("stamp", (long) ((reached - stamp) * 1e9));
    Thread.sleep(ThreadLocalRandom.current().nextLong(20, 180));
  }
}
