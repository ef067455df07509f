package dev.millrace.postgres.store;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Transaction;
import dev.millrace.postgres.EngineRig;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Commands that meet: in one batch, or on the same rows from two nodes. Who comes first is no
 * matter of luck: the second is started when the first has its locks, and the first goes on when
 * PostgreSQL says that the second waits.
 */
final class Meeting implements AutoCloseable {

  /** What both were told. */
  record Told<R, S>(R first, S second) {}

  private final EngineRig rig;
  private final Engine other;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  Meeting(EngineRig rig) {
    this.rig = rig;
    this.other = rig.node();
  }

  /** The second node. */
  Engine other() {
    return other;
  }

  <S> Future<S> start(Callable<S> task) {
    return threads.submit(task);
  }

  /** What a lane does with these if they gather. */
  <C, R> List<R> inOneBatch(CommandBatch<C, R> batch, List<C> commands) {
    return rig.database().store().transact(tx -> write(tx, batch.decide(tx, commands)));
  }

  List<Report.Result> inOneBatch(Report... reports) {
    return inOneBatch(new ReportBatch(EngineRig.TIMINGS), List.of(reports));
  }

  private static <R> List<R> write(Transaction tx, CommandBatch.Decided<R> decided) {
    if (!decided.changes().isEmpty()) {
      tx.write(decided.changes());
    }
    return decided.results();
  }

  /** The first decides and holds its locks; the second comes and waits; the first commits. */
  <C, R, S> Told<R, S> of(CommandBatch<C, R> batch, C first, Callable<S> second) throws Exception {
    AtomicReference<Future<S>> waiting = new AtomicReference<>();
    R result =
        rig.database()
            .store()
            .transact(tx -> {
              List<R> results = write(tx, batch.decide(tx, List.of(first)));
              waiting.set(threads.submit(second));
              rig.awaitLockWaits(1);
              return results.getFirst();
            });
    return new Told<>(result, Objects.requireNonNull(waiting.get()).get());
  }

  /** The same, of two reports from two nodes. */
  Told<Report.Result, Report.Result> of(Report first, Report second) throws Exception {
    return of(new ReportBatch(EngineRig.TIMINGS), first, () -> other.report(second));
  }

  /** The job as the store reads it. */
  Job stored(JobId id) {
    return rig.database()
        .store()
        .transact(tx -> Objects.requireNonNull(tx.lockJobs(Set.of(id)).get(id)));
  }

  String ask(String sql) {
    return String.valueOf(rig.place().ask(sql));
  }

  /** Ends with the doctor. */
  @Override
  public void close() {
    threads.close();
    rig.close();
  }
}
