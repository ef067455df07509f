package dev.millrace.bench.scenario;

import dev.millrace.bench.http.LiveHeap;
import dev.millrace.bench.http.ServerProcess;
import dev.millrace.bench.load.Filling;
import dev.millrace.bench.load.OpenFiles;
import dev.millrace.bench.load.Sizes;
import dev.millrace.bench.load.Soundness;
import dev.millrace.bench.load.TempFolder;
import dev.millrace.bench.measure.MeasureWords;
import dev.millrace.bench.measure.Meter;
import dev.millrace.bench.measure.Sheet;
import dev.millrace.bench.measure.TimeSamples;
import dev.millrace.bench.place.Arena;
import dev.millrace.bench.place.Site;
import dev.millrace.bench.streams.ReaderProcess;
import dev.millrace.bench.streams.Readers;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * (g) Many event streams on one server, each of a job of its own. This process is a second node: it
 * reports progress, and the server hears of it from the database as of any other node's.
 */
public final class Streams implements Scenario {

  /** Opened and left before the heap is looked at, so that all classes are loaded by then. */
  private static final int FEW = 20;

  /** How long it took until an event was committed and answered. */
  private final Meter commits = new Meter();

  @Override
  public String letter() {
    return "g";
  }

  @Override
  public String title() {
    return "Event streams on one server";
  }

  @Override
  public void run(Site site, Sizes sizes, Sheet sheet) throws Exception {
    int streams = OpenFiles.possible(sizes.streams(), "stream", sheet);
    try (Arena arena = site.arena(16);
        TempFolder folder = new TempFolder(site);
        ServerProcess server = ServerProcess.start(arena, folder.path(), Map.of());
        Engine engine = arena.engine(BatchedEngine.MAX_BATCH)) {
      List<Leased> jobs = runningJobs(arena, engine, server, streams);
      List<UUID> ids = jobs.stream().map(leased -> leased.job().id().uuid()).toList();
      try (ReaderProcess few = new ReaderProcess(server.port(), server.authorization())) {
        few.open(ids.subList(0, Math.min(FEW, streams)));
      }
      long before = LiveHeap.bytes(server.pid());
      try (ReaderProcess readers = new ReaderProcess(server.port(), server.authorization())) {
        int open = readers.open(ids);
        if (open < streams) {
          sheet.note("Only " + open + " of " + streams + " streams could be opened.");
        }
        long after = LiveHeap.bytes(server.pid());
        sheet.add("g.streams", "streams", open, "streams");
        double kib = (after - before) / 1024.0 / Math.max(1, open);
        sheet.add("g.idle_kib", "heap of an idle stream", kib, "KiB");
        int each = sizes.eventsPerSecond();
        ServerWarmUp.run(server, sizes, time -> tell(engine, jobs, time, each, "warm at "));
        commits.on();
        int failed = tell(engine, jobs, sizes.span().measure(), each, Readers.MARK);
        fanOut(readers.finish(), failed, sizes, sheet);
      }
      Soundness.require(arena, sheet);
    }
  }

  private static List<Leased> runningJobs(
      Arena arena, Engine engine, ServerProcess server, int count) throws Exception {
    var queue = arena.stock().queues().getFirst();
    Filling.waiting(engine, server.users(), List.of(queue), count);
    List<Leased> jobs = new ArrayList<>();
    LeaseJobs asking = new LeaseJobs("bench", List.of(queue.workflow()), 200);
    for (List<Leased> some = engine.lease(asking); !some.isEmpty(); some = engine.lease(asking)) {
      jobs.addAll(some);
    }
    return jobs;
  }

  /** So many events a second, whoever is slow. Answers how many could not be told. */
  private int tell(
      Engine engine, List<Leased> jobs, Duration time, int eventsPerSecond, String mark) {
    long pause = Duration.ofSeconds(1).toNanos() / eventsPerSecond;
    long events = time.toNanos() / pause;
    AtomicInteger failed = new AtomicInteger();
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long i = 0; i < events; i++) {
        long ahead = start + i * pause - System.nanoTime();
        if (ahead > 0) {
          LockSupport.parkNanos(ahead);
        }
        Leased job = jobs.get(ThreadLocalRandom.current().nextInt(jobs.size()));
        threads.execute(() -> tell(engine, job, mark, failed));
      }
    }
    // What was told last is still on its way to the readers.
    LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
    return failed.get();
  }

  private void tell(Engine engine, Leased job, String mark, AtomicInteger failed) {
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    try {
      Report.Result result =
          commits.time(
              "commit",
              () ->
                  engine.report(
                      new Report.Heartbeat(
                          job.job().id(),
                          job.token(),
                          new Progress(50, "sampling", mark + now),
                          Summary.EMPTY)));
      if (!(result instanceof Report.Result.Done)) {
        failed.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception _) {
      failed.incrementAndGet();
    }
  }

  private void fanOut(ReaderProcess.ReadCounts heard, int failed, Sizes sizes, Sheet sheet) {
    String label = "fan-out at " + MeasureWords.count(sizes.eventsPerSecond(), "event") + "/s";
    sheet.add("g.fanout.p50_ms", label + " p50", heard.p50(), "ms");
    sheet.add("g.fanout.p99_ms", label + " p99", heard.p99(), "ms");
    TimeSamples commit = commits.times("commit");
    sheet.add("g.commit.p50_ms", "of which the event's own commit p50", commit.p50(), "ms");
    sheet.add("g.commit.p99_ms", "the commit alone p99", commit.p99(), "ms");
    sheet.add("g.fanout.events", "events that readers heard", (double) heard.events(), "events");
    if (failed > 0 || heard.broken() > 0) {
      sheet.note(failed + " events could not be told, " + heard.broken() + " streams broke.");
    }
  }
}
