package dev.millrace.bench.scenario;

import dev.millrace.bench.http.HttpClient;
import dev.millrace.bench.http.HttpClient.Held;
import dev.millrace.bench.http.ServerProcess;
import dev.millrace.bench.measure.Meter;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * (d) How soon an idle worker that waits in a long poll has a new job. Measured from the call of
 * the submit, as with the peers, and from the moment that the database stamped on the job.
 */
public final class Pickup implements Scenario {

  private static final int WORKERS = 16;
  private static final int WARM_UP = 20;

  private record Arrival(String job, long nanos, Instant at) {}

  private volatile boolean over;

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
    over = false;
    try (Arena arena = site.arena(8);
        TempFolder folder = new TempFolder(site);
        ServerProcess server = ServerProcess.start(arena, folder.path(), Clients.FLEET)) {
      ServerWarmUp.run(server, sizes);
      Meter meter = new Meter();
      try (Clients workers = Clients.workers(server, WORKERS, 0);
          HttpClient product = new HttpClient(server, 0)) {
        BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
        for (int i = 0; i < workers.size(); i++) {
          HttpClient worker = workers.get(i);
          Thread.ofVirtual().start(() -> work(worker, arrivals));
        }
        for (int i = 0; i < WARM_UP + sizes.pickups(); i++) {
          if (i == WARM_UP) {
            meter.on();
          }
          pickUp(arena, product, arrivals, meter);
        }
        over = true;
      }
      Soundness.require(arena, sheet);
      sheet.add("d.pickup", "pickup, from the submit's call", meter.times("call"));
      sheet.add("d.stamp", "pickup, from the job's own time", meter.times("stamp"));
    }
  }

  private static void pickUp(
      Arena arena, HttpClient product, BlockingQueue<Arrival> arrivals, Meter meter)
      throws Exception {
    long start = System.nanoTime();
    String job = product.submit();
    @Nullable Arrival arrival = arrivals.poll(60, TimeUnit.SECONDS);
    if (arrival == null || !arrival.job().equals(job)) {
      throw new IllegalStateException("the job did not reach a worker");
    }
    meter.took("call", arrival.nanos() - start);
    double stamp =
        arena.ask("select extract(epoch from created_at) from job where id = '" + job + "'");
    double reached = ChronoUnit.MICROS.between(Instant.EPOCH, arrival.at()) / 1e6;
    meter.took("stamp", (long) ((reached - stamp) * 1e9));
    Thread.sleep(ThreadLocalRandom.current().nextLong(20, 180));
  }

  private void work(HttpClient worker, BlockingQueue<Arrival> arrivals) {
    try {
      while (!over) {
        Held held = worker.poll();
        arrivals.add(new Arrival(held.job(), System.nanoTime(), Instant.now()));
        worker.complete(held);
      }
    } catch (IOException | RuntimeException e) {
      if (!over) {
        arrivals.add(new Arrival("none: " + e, 0, Instant.EPOCH));
      }
    }
  }
}
