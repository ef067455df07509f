package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.ProgressReport;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.memory.MemoryStore;
import dev.millrace.engine.memory.MemoryTables;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The engine's decisions on a store in memory, with a clock and ids that a test controls. */
final class Bench {

  static final Wallet.Owner ADA = new Wallet.Owner(1, "ada");
  static final Wallet.Owner BOB = new Wallet.Owner(2, "bob");
  static final Duration LEASE = Duration.ofSeconds(30);
  static final Duration GRACE = Duration.ofSeconds(20);
  static final Duration CALLBACK = Duration.ofHours(2);
  static final Duration REVIEW = Duration.ofHours(1);
  static final long CHARGE = 7;

  private static final Timings TIMINGS =
      new Timings(
          LEASE,
          CALLBACK,
          REVIEW,
          GRACE,
          new Timings.Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5)));

  final MemoryStore store = new MemoryStore();
  final MemoryTables tables = store.tables();
  private int ids;
  private int tokens;
  private Changes last = new WorkingSet(store.now()).changes();

  /** A bench where both users have credits. */
  static Bench withCredits(long amount) {
    Bench bench = new Bench();
    bench.topUp(new TopUp(ADA, amount, "start", null));
    bench.topUp(new TopUp(BOB, amount, "start", null));
    return bench;
  }

  <C, R> List<R> run(CommandBatch<C, R> batch, List<C> commands) {
    return store.transact(tx -> {
      CommandBatch.Decided<R> decided = batch.decide(tx, commands);
      last = decided.changes();
      if (!last.isEmpty()) {
        tx.write(last);
      }
      return decided.results();
    });
  }

  /** What the newest transaction decided. */
  Changes last() {
    return last;
  }

  TopUp.Result topUp(TopUp topUp) {
    return run(new TopUp.Booking(), List.of(topUp)).getFirst();
  }

  List<SubmitJob.Result> submitAll(Order... orders) {
    List<SubmitJob> commands = new ArrayList<>();
    for (Order order : orders) {
      commands.add(order.make(new UUID(0x7000, ++ids)));
    }
    return run(new SubmitBatch(), commands);
  }

  Job submit(Order order) {
    SubmitJob.Result result = submitAll(order).getFirst();
    assertThat(result).isInstanceOf(SubmitJob.Result.Accepted.class);
    return ((SubmitJob.Result.Accepted) result).job();
  }

  /** A job that a gate denied. */
  Job blocked(Order order) {
    SubmitJob.Result result = submitAll(order).getFirst();
    assertThat(result).isInstanceOf(SubmitJob.Result.Blocked.class);
    return ((SubmitJob.Result.Blocked) result).job();
  }

  List<List<Leased>> leaseAll(LeaseJobs... askers) {
    return run(new LeaseBatch(TIMINGS, () -> new UUID(0x4000, ++tokens)), List.of(askers));
  }

  /** Leases the best job of workflow 1. */
  Leased lease() {
    List<Leased> leased = leaseAll(new LeaseJobs("w1", List.of(1), 1)).getFirst();
    assertThat(leased).hasSize(1);
    return leased.getFirst();
  }

  /** Submits and leases; there must be nothing else in the queue. */
  Leased running(Order order) {
    Job job = submit(order);
    Leased leased = lease();
    assertThat(leased.job().id()).isEqualTo(job.id());
    return leased;
  }

  List<Report.Result> reportAll(Report... reports) {
    return run(new ReportBatch(TIMINGS), List.of(reports));
  }

  Report.Result report(Report report) {
    return reportAll(report).getFirst();
  }

  /** A report that must count. */
  Job done(Report report) {
    Report.Result result = report(report);
    assertThat(result).isInstanceOf(Report.Result.Done.class);
    Job job = ((Report.Result.Done) result).job();
    assertThat(job).as("the answer is what was written").isEqualTo(store.job(job.id()));
    return job;
  }

  Job job(JobId id) {
    return store.job(id);
  }

  Instant now() {
    return store.now();
  }

  void advance(Duration duration) {
    store.setNow(store.now().plus(duration));
  }

  static Report.Complete complete(JobId job, UUID token) {
    return new Report.Complete(job, token, List.of(output()), Summary.EMPTY);
  }

  static Report.Fail fail(JobId job, UUID token, Report.Fail.Kind kind) {
    return new Report.Fail(job, token, kind, new Failure("oops", "It broke."), null, 1);
  }

  static Report.Heartbeat beat(JobId job, UUID token) {
    return new Report.Heartbeat(job, token, ProgressReport.NOTHING, Summary.EMPTY);
  }

  static Summary summary(Map<String, String> values) {
    return new Summary(new TreeMap<>(values));
  }

  static OutputFile output() {
    return new OutputFile(
        new UUID(0, 9),
        "k",
        "a.png",
        new OutputFile.Content("image/png", 3, "ab".repeat(32)),
        new OutputFile.Picture(1, 1, null),
        null);
  }
}
