package dev.millrace.bench.report;

import static dev.millrace.bench.report.Target.Bound.AT_LEAST;
import static dev.millrace.bench.report.Target.Bound.AT_MOST;
import static dev.millrace.bench.report.Target.figure;
import static dev.millrace.bench.report.Target.ratio;

import dev.millrace.bench.measure.Sheet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** All targets, in the order in which they are judged. */
public final class Targets {

  private static final List<String> ON_POSTGRES =
      List.of("pg-boss", "graphile-worker", "db-scheduler", "jobrunr");
  private static final List<String> ALL =
      List.of("pg-boss", "graphile-worker", "db-scheduler", "jobrunr", "bullmq");

  private static final List<Target> TARGETS =
      List.of(
          new Target(
              "c",
              "batched over unbatched, 256 callers",
              AT_LEAST,
              12,
              ratio(figure("c.batched.per_s"), figure("c.256.per_s"))),
          new Target(
              "a",
              "HTTP over engine alone, 256 clients",
              AT_LEAST,
              0.6,
              ratio(figure("a.256.per_s"), figure("b.256.per_s"))),
          new Target(
              "a",
              "HTTP over the best PostgreSQL peer, end to end",
              AT_LEAST,
              3,
              ratio(figure("a.256.per_s"), best(ON_POSTGRES, "e2e_per_s"))),
          new Target(
              "a",
              "HTTP submits over the better of pg-boss and graphile-worker, 32 callers",
              AT_LEAST,
              5,
              ratio(
                  figure("a.submit.32.per_s"),
                  best(List.of("pg-boss", "graphile-worker"), "submit_per_s"))),
          new Target(
              "a",
              "HTTP submits over BullMQ on a Redis that always syncs, 32 callers",
              AT_LEAST,
              1,
              ratio(figure("a.submit.32.per_s"), best(List.of("bullmq"), "submit_per_s"))),
          new Target(
              "i",
              "one caller's submit over a bare commit, p50",
              AT_MOST,
              1.5,
              ratio(figure("b.1.submit.p50_ms"), figure("i.bare.commit.p50_ms"))),
          new Target(
              "d",
              "pickup over the fastest peer's, p50",
              AT_MOST,
              1,
              ratio(figure("d.pickup.p50_ms"), Targets::fastestPickup)),
          new Target(
              "e",
              "leases with few finished jobs over leases with many",
              AT_MOST,
              1.25,
              ratio(figure("e.few.per_s"), figure("e.many.per_s"))),
          new Target(
              "f",
              "one wallet over many",
              AT_LEAST,
              0.8,
              ratio(figure("f.one.per_s"), figure("f.many.per_s"))),
          new Target("g", "KiB for an idle stream", AT_MOST, 20, figure("g.idle_kib")),
          new Target("g", "fan-out p99 in ms", AT_MOST, 50, figure("g.fanout.p99_ms")),
          new Target(
              "h",
              "quiet tenants' wait with the flood over without, p99",
              AT_MOST,
              2,
              ratio(figure("h.flood.wait.p99_ms"), figure("h.calm.wait.p99_ms"))),
          new Target(
              "i",
              "rows of the engine over raw rows, 256 jobs a commit",
              AT_LEAST,
              0.5,
              ratio(figure("b.256.rows_per_s"), figure("i.raw.1.256.per_s"))),
          new Target(
              "j",
              "slowest page of the list of jobs, p95 in ms",
              AT_MOST,
              200,
              figure("j.slowest.p95_ms")));

  private Targets() {}

  public static List<TargetVerdict> judge(Sheet sheet) {
    return TARGETS.stream().map(target -> target.judge(sheet)).toList();
  }

  private static Function<Sheet, OptionalDouble> best(List<String> peers, String metric) {
    return sheet -> values(sheet, peers, metric).max();
  }

  private static OptionalDouble fastestPickup(Sheet sheet) {
    return values(sheet, ALL, "pickup.p50_ms").min();
  }

  private static DoubleStream values(Sheet sheet, List<String> peers, String metric) {
    return peers.stream()
        .map(peer -> sheet.value("peers." + peer + "." + metric))
        .flatMapToDouble(OptionalDouble::stream);
  }
}
