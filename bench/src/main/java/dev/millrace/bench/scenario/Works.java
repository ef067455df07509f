package dev.millrace.bench.scenario;

import dev.millrace.bench.place.Stock;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Batch;
import dev.millrace.engine.command.LeaseBatch;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.command.SubmitBatch;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.port.Store;
import java.util.List;
import java.util.UUID;

/** The engine's verbs, batched or not. */
interface Works {

  SubmitJob.Result submit(SubmitJob command) throws InterruptedException;

  List<LeaseJobs.Leased> lease(LeaseJobs command) throws InterruptedException;

  Report.Result report(Report report) throws InterruptedException;

  /** Through the lanes, as the server does it. */
  static Works batched(Engine engine) {
    return new Works() {
      @Override
      public SubmitJob.Result submit(SubmitJob command) throws InterruptedException {
        return engine.submit(command);
      }

      @Override
      public List<LeaseJobs.Leased> lease(LeaseJobs command) throws InterruptedException {
        return engine.lease(command);
      }

      @Override
      public Report.Result report(Report report) throws InterruptedException {
        return engine.report(report);
      }
    };
  }

  /**
   * The same decisions and the same statements without lanes: each caller has a transaction of its
   * own, on whichever connection of the pool is free.
   */
  static Works eachByItself(Store store) {
    return new Works() {
      private final SubmitBatch submits = new SubmitBatch();
      private final LeaseBatch leases = new LeaseBatch(Stock.TIMINGS, UUID::randomUUID);
      private final ReportBatch reports = new ReportBatch(Stock.TIMINGS);

      @Override
      public SubmitJob.Result submit(SubmitJob command) {
        return transact(submits, command);
      }

      @Override
      public List<LeaseJobs.Leased> lease(LeaseJobs command) {
        return transact(leases, command);
      }

      @Override
      public Report.Result report(Report report) {
        return transact(reports, report);
      }

      private <C, R> R transact(Batch<C, R> batch, C command) {
        return store.transact(tx -> {
          Batch.Decided<R> decided = batch.decide(tx, List.of(command));
          if (!decided.changes().isEmpty()) {
            tx.write(decided.changes());
          }
          return decided.results().getFirst();
        });
      }
    };
  }
}
