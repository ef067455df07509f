package dev.millrace.engine;

import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.command.CommandBatch;
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
import dev.millrace.engine.lane.BatchShare;
import dev.millrace.engine.lane.Lane;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.port.Changes;
import dev.millrace.engine.port.Store;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The verbs of Millrace. Four lanes, because submits, leases, progress and settlements meet on few
 * rows, and several transactions at once use what one database connection leaves idle. Submits and
 * settlements lock wallets, so they take turns. Progress locks none, and needn't wait for those who
 * do.
 */
public final class Engine implements AutoCloseable {

  private final Store store;
  private final Listener listener;
  private final SingleCommands single = new SingleCommands();
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

    /** Somebody tried to go where there is no way. */
    default void denied(JobId job, State from, DeniedStep step) {}
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
    BatchShare batchShare = new BatchShare(sizes.maxBatch());
    Lock wallets = new ReentrantLock(true);
    this.submits = lane("submit", batchShare, sizes, wallets, new SubmitBatch());
    this.settlements = lane("settle", batchShare, sizes, wallets, new ReportBatch(timings));
    this.leases =
        lane("lease", batchShare, sizes, new ReentrantLock(), new LeaseBatch(timings, tokens));
    this.progress =
        lane("progress", batchShare, sizes, new ReentrantLock(), new ReportBatch(timings));
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
      listener.denied(report.job(), state, new DeniedStep.Transition(trigger));
    } else if (result instanceof Report.Result.NotNow(State state)
        && report instanceof Report.Delete) {
      listener.denied(report.job(), state, new DeniedStep.Deletion());
    }
    return result;
  }

  /** Tells who listens that an owner may not have the same job again while it is in this state. */
  public void refuseRetry(JobId job, State state) {
    listener.denied(job, state, new DeniedStep.Retry());
  }

  public TopUp.Result topUp(TopUp command) {
    return single.run(runner(new TopUp.Booking()), command);
  }

  /** Many jobs of one user, in a transaction of their own. */
  public SubmitMany.Result submitMany(SubmitMany command) {
    return single.run(runner(new SubmitMany.Booking()), command);
  }

  /** What a provider called back, and what nobody will ever match. */
  public Callbacks.Reception hear(Callbacks.Command command) {
    return single.run(runner(new Callbacks()), command);
  }

  /** What each lane is at, for whoever watches that they go on. */
  public List<Lane.Standing> standing() {
    return lanes().map(Lane::standing).toList();
  }

  private Stream<Lane<?, ?>> lanes() {
    return Stream.of(submits, leases, progress, settlements);
  }

  private <C, R> Lane<C, R> lane(
      String name, BatchShare batchShare, LaneSizes sizes, Lock turn, CommandBatch<C, R> batch) {
    return new Lane<>(name, batchShare, sizes.maxWaiting(), turn, runner(batch));
  }

  private <C, R> BatchRunner<C, R> runner(CommandBatch<C, R> batch) {
    return new BatchRunner<>(store, listener, batch);
  }

  /** All lanes end at the same time, so that one that is stuck doesn't add to the next. */
  @Override
  public void close() {
    lanes().forEach(Lane::shut);
    List<Thread> closing =
        lanes().map(lane -> Thread.ofVirtual().name("lane-closing").start(lane::close)).toList();
    try {
      for (Thread lane : closing) {
        lane.join(Lane.MOST_CLOSING);
      }
    } catch (InterruptedException e) {
      // Whoever hurries needn't wait; everybody is answered all the same.
      Thread.currentThread().interrupt();
    }
  }
}
