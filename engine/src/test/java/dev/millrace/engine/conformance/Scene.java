package dev.millrace.engine.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.LeaseBatch;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.command.SubmitBatch;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.job.OutputFile;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.money.Price;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Row;
import dev.millrace.engine.port.Store;
import dev.millrace.engine.port.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who and what is in a test, made by the engine's own batches on the store that is looked at. */
final class Scene {

  static final Wallet.Owner ADA = new Wallet.Owner(1, "ada");
  static final Wallet.Owner BOB = new Wallet.Owner(1, "bob");

  /** Has ada's name in another tenant. */
  static final Wallet.Owner OTHER_ADA = new Wallet.Owner(2, "ada");

  static final Duration HOUR = Duration.ofHours(1);
  private static final int COST = 5;
  private static final int QUEUE_SECONDS = 86_400;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  static final Timings TIMINGS =
      new Timings(
          Duration.ofSeconds(60),
          HOUR,
          Duration.ofHours(2),
          Duration.ofSeconds(30),
          new Timings.Backoff(Duration.ofSeconds(10), Duration.ofMinutes(1)));

  private final Ground ground;
  private final Store store;
  private long made;

  Scene(Ground ground) {
    this.ground = ground;
    this.store = ground.node();
    for (Wallet.Owner owner : List.of(ADA, BOB, OTHER_ADA)) {
      pay(owner, 1_000, "first");
    }
  }

  <R> R transact(Function<Transaction, R> work) {
    return store.transact(work);
  }

  /** In this order, whatever their own is. */
  static <T> Set<T> inOrder(T first, T second) {
    return new LinkedHashSet<>(List.of(first, second));
  }

  <C, R> R decide(CommandBatch<C, R> batch, C command) {
    return transact(tx -> decide(tx, batch, command));
  }

  /** In a transaction that the test has open. */
  static <C, R> R decide(Transaction tx, CommandBatch<C, R> batch, C command) {
    CommandBatch.Decided<R> decided = batch.decide(tx, List.of(command));
    if (!decided.changes().isEmpty()) {
      tx.write(decided.changes());
    }
    return decided.results().getFirst();
  }

  void pay(Wallet.Owner owner, long credits, String key) {
    assertThat(decide(new TopUp.Booking(), new TopUp(owner, credits, key, null)))
        .isInstanceOf(TopUp.Result.Booked.class);
  }

  /** Grows, as the ids of later jobs do. */
  UUID nextId() {
    made++;
    return new UUID((ground.now().toEpochMilli() + made) << 16 | 0x7000L, VARIANT | made);
  }

  /** An ordinary order of the first effect and workflow. */
  SubmitJob order(Wallet.Owner owner) {
    return order(owner, 1, 1, 0);
  }

  SubmitJob order(Wallet.Owner owner, int effect, int workflow, int priority) {
    JobTerms.Rules rules = new JobTerms.Rules(effect == 2, true, false, Price.OF_THE_JOB);
    SubmitJob.Terms terms =
        new SubmitJob.Terms(effect, workflow, COST, 2, 3, 3_600, QUEUE_SECONDS, rules);
    return new SubmitJob(
        nextId(),
        owner,
        terms,
        new SubmitJob.Identity(null, "f", null),
        new SubmitJob.Request("{\"made\": " + made + "}", priority, null, Changes.Links.NONE),
        QuotaUse.Limits.UNSET,
        null);
  }

  /** Told apart by a key or by a fingerprint alone. */
  static SubmitJob keyed(SubmitJob order, @Nullable String key, String fingerprint) {
    return with(order, new SubmitJob.Identity(key, fingerprint, null), order.runAt(), null);
  }

  static SubmitJob with(
      SubmitJob order,
      SubmitJob.Identity identity,
      @Nullable Instant runAt,
      SubmitJob.@Nullable Denial denial) {
    return new SubmitJob(
        order.id(),
        order.owner(),
        order.terms(),
        identity,
        new SubmitJob.Request(
            order.request().input(), order.request().priority(), runAt, order.request().links()),
        order.limits(),
        denial);
  }

  Job submit(SubmitJob order) {
    return switch (decide(new SubmitBatch(), order)) {
      case SubmitJob.Result.Accepted(Job job) -> job;
      case SubmitJob.Result.Blocked(Job job, var _) -> job;
      case SubmitJob.Result other -> throw new AssertionError(other);
    };
  }

  Job submit(Wallet.Owner owner) {
    return submit(order(owner));
  }

  void submitMany(SubmitMany many) {
    assertThat(decide(new SubmitMany.Booking(), many))
        .isInstanceOf(SubmitMany.Result.Decided.class);
  }

  static LeaseBatch leasing() {
    return new LeaseBatch(TIMINGS, UUID::randomUUID);
  }

  List<Leased> lease(String worker, int most, Integer... workflows) {
    return decide(leasing(), new LeaseJobs(worker, List.of(workflows), most));
  }

  /** Submits it and gives it to a worker; nothing else may wait in its queue. */
  Leased running(SubmitJob order) {
    Job job = submit(order);
    List<Leased> leased = lease("w", 1, order.terms().workflowId());
    assertThat(leased).hasSize(1);
    assertThat(leased.getFirst().job().id()).isEqualTo(job.id());
    return leased.getFirst();
  }

  static ReportBatch reporting() {
    return new ReportBatch(TIMINGS);
  }

  Job report(Report report) {
    Report.Result result = decide(reporting(), report);
    assertThat(result).isInstanceOf(Report.Result.Done.class);
    return ((Report.Result.Done) result).job();
  }

  Report.Complete complete(Leased leased, int outputs) {
    return new Report.Complete(
        leased.job().id(),
        leased.token(),
        Stream.generate(this::output).limit(outputs).toList(),
        Summary.EMPTY);
  }

  private OutputFile output() {
    UUID id = nextId();
    return new OutputFile(
        id,
        "o/" + id,
        "a.png",
        new OutputFile.Content("image/png", 1, "0f".repeat(32)),
        new OutputFile.Picture(8, 8, null),
        null);
  }

  static Report.Fail fail(Leased leased, Report.Fail.Kind kind) {
    return new Report.Fail(
        leased.job().id(), leased.token(), kind, new Failure("broken", "It broke."), null, 0.0);
  }

  void receive(Callback.Id id, String reference, @Nullable String intent) {
    decide(new Callbacks(), new Callbacks.Receive(id, reference, intent));
  }

  /** Those of the rows that somebody else holds now, seen by one more node. */
  Set<Row> busy(Row... rows) {
    return ground.node().transact(tx -> tx.lockFree(Set.of(rows)));
  }

  void pass(Duration time) {
    ground.setNow(ground.now().plus(time));
  }
}
