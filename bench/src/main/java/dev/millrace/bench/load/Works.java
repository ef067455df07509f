package dev.millrace.bench.load;

import dev.millrace.bench.place.Stock;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.CommandBatch;
import dev.millrace.engine.command.LeaseBatch;
import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.command.SubmitBatch;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.port.Store;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/** The engine's verbs, batched or not. */
public interface Works {

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
   * own, on whichever connection of the pool is free. They wait for one in the order in which they
   * came; the pool itself would let some of them wait until they give up.
   */
  static Works eachByItself(Store store, int connections) {
    return new Works() {
      private final Semaphore free = new Semaphore(connections, true);
      private final SubmitBatch submits = new SubmitBatch();
      private final LeaseBatch leases = new LeaseBatch(Stock.TIMINGS, UUID::randomUUID);
      private final ReportBatch reports = new ReportBatch(Stock.TIMINGS);

      @Override
      public SubmitJob.Result submit(SubmitJob command) throws InterruptedException {
        return transact(submits, command);
      }

      @Override
      public List<LeaseJobs.Leased> lease(LeaseJobs command) throws InterruptedException {
        return transact(leases, command);
      }

      @Override
      public Report.Result report(Report report) throws InterruptedException {
        return transact(reports, report);
      }

      private <C, R> R transact(CommandBatch<C, R> batch, C command) throws InterruptedException {
        free.acquire();
        try {
          return store.transact(tx -> {
            CommandBatch.Decided<R> decided = batch.decide(tx, List.of(command));
            if (!decided.changes().isEmpty()) {
              tx.write(decided.changes());
            }
            return decided.results().getFirst();
          });
        } finally {
          free.release();
        }
      }
    };
  }
}
