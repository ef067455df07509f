package dev.millrace.engine;

import dev.millrace.engine.command.Batch;
import dev.millrace.engine.command.Batch.Decided;
import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.command.LeaseBatch;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.command.SubmitBatch;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.command.SubmitMany;
import dev.millrace.engine.command.Timings;
import dev.millrace.engine.command.TopUp;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lane.Crowd;
import dev.millrace.engine.lane.Lane;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Store;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The verbs of Millrace. Four lanes, because submits, leases, progress and settlements meet on few
 * rows, and several transactions at once use what one database connection leaves idle. Submits and
 * settlements lock wallets, so they take turns. Progress locks none, and needn't wait for those who
 * do.
 */
public final class Engine implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Engine.class.getName());

  private final Store store;
  private final Listener listener;
  private final Lane<SubmitJob, SubmitJob.Result> submits;
  private final Lane<LeaseJobs, List<LeaseJobs.Leased>> leases;
  private final Lane<Report, Report.Result> progress;
  private final Lane<Report, Report.Result> settlements;

  /** Hears what the engine did. */
  @FunctionalInterface
  public interface Listener {
    /** What a transaction changed, after its commit. */
    void committed(Changes changes);

    /** A transaction may have changed anything, or nothing: its connection broke. */
    default void unsure() {}

    /** Somebody tried to go where the table has no way. */
    default void denied(JobId job, State from, Trigger trigger) {}
  }

  /** How much may gather, and how much may wait. */
  public record LaneSizes(int maxBatch, int maxWaiting) {}

  /**
   * Opens the lanes.
   *
   * @param tokens makes lease tokens that nobody can guess
   * @param listener hears what happened, on a thread of the lane, so it must not wait
   */
  public Engine(
      Store store, Timings timings, LaneSizes sizes, Supplier<UUID> tokens, Listener listener) {
    this.store = store;
    this.listener = listener;
    Crowd crowd = new Crowd(sizes.maxBatch());
    Lock wallets = new ReentrantLock(true);
    this.submits = lane("submit", crowd, sizes, wallets, new SubmitBatch());
    this.settlements = lane("settle", crowd, sizes, wallets, new ReportBatch(timings));
    this.leases = lane("lease", crowd, sizes, new ReentrantLock(), new LeaseBatch(timings, tokens));
    this.progress = lane("progress", crowd, sizes, new ReentrantLock(), new ReportBatch(timings));
  }

  public SubmitJob.Result submit(SubmitJob command) throws InterruptedException {
    return submits.call(command);
  }

  /** What is there now; an empty list if nothing is. */
  public List<LeaseJobs.Leased> lease(LeaseJobs command) throws InterruptedException {
    return leases.call(command);
  }

  public Report.Result report(Report report) throws InterruptedException {
    Report.Result result = (report.maySettle() ? settlements : progress).call(report);
    if (result instanceof Report.Result.Denied(State state, Trigger trigger)) {
      listener.denied(report.job(), state, trigger);
    }
    return result;
  }

  public TopUp.Result topUp(TopUp command) {
    return run(new TopUp.Booking(), List.of(command)).get().getFirst();
  }

  /** Many jobs of one user, in a transaction of their own. */
  public SubmitMany.Result submitMany(SubmitMany command) {
    return run(new SubmitMany.Booking(), List.of(command)).get().getFirst();
  }

  /** What a provider called back, and what nobody will ever match. */
  public Callbacks.Heard hear(Callbacks.Command command) {
    return run(new Callbacks(), List.of(command)).get().getFirst();
  }

  private <C, R> Lane<C, R> lane(
      String name, Crowd crowd, LaneSizes sizes, Lock turn, Batch<C, R> batch) {
    return new Lane<>(name, crowd, sizes.maxWaiting(), turn, commands -> run(batch, commands));
  }

  /** Commits. What it returns tells the listener, and has the answers. */
  private <C, R> Supplier<List<R>> run(Batch<C, R> batch, List<C> commands) {
    try {
      Decided<R> decided = transact(batch, commands);
      return () -> told(decided);
    } catch (Store.OutcomeUnknown e) {
      tell(Listener::unsure);
      throw e;
    }
  }

  private <R> List<R> told(Decided<R> decided) {
    if (!decided.changes().isEmpty()) {
      tell(each -> each.committed(decided.changes()));
    }
    return decided.results();
  }

  private <C, R> Decided<R> transact(Batch<C, R> batch, List<C> commands) {
    return store.transact(tx -> {
      Decided<R> decision = batch.decide(tx, commands);
      if (!decision.changes().isEmpty()) {
        tx.write(decision.changes());
      }
      return decision;
    });
  }

  /**
   * What is committed is committed: a listener's trouble must not look like a failed batch, which
   * the lane would run again.
   */
  private void tell(Consumer<Listener> news) {
    try {
      news.accept(listener);
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "a listener failed after a commit", e);
    }
  }

  @Override
  public void close() {
    submits.close();
    leases.close();
    progress.close();
    settlements.close();
  }
}
