package dev.millrace.service.fleet;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Failure;
import dev.millrace.service.files.JobAssets;
import dev.millrace.service.fleet.WorkerFiles.Handed;
import dev.millrace.service.fleet.WorkerFiles.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts jobs that were just leased together with their files. One that can't be done any more fails
 * for good, here and at once; it never keeps the others from their worker.
 */
final class LeaseHandout {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseHandout.class);

  private final WorkerFiles files;
  private final LeaseMemory memory;
  private final Engine engine;
  private final DoubleSupplier jitter;

  LeaseHandout(WorkerFiles files, LeaseMemory memory, Engine engine, DoubleSupplier jitter) {
    this.files = files;
    this.memory = memory;
    this.engine = engine;
    this.jitter = jitter;
  }

  /** Those that the worker gets. */
  List<Handed> of(String worker, List<Leased> leased, Terms terms) throws InterruptedException {
    List<Handed> handed = new ArrayList<>();
    for (Leased each : leased) {
      try {
        handed.add(files.work(each, terms));
        memory.remember(worker, each);
      } catch (JobAssets.Missing e) {
        fail(each, String.valueOf(e.getMessage()));
      } catch (RuntimeException e) {
        // The store or the database is away. Nobody holds this lease, so it ends by itself, and
        // until then nobody tries in vain.
        LOG.warn("Job {} could not be handed to its worker", each.job().id().uuid(), e);
      }
    }
    return handed;
  }

  private void fail(Leased leased, String message) throws InterruptedException {
    engine.report(
        new Report.Fail(
            leased.job().id(),
            leased.token(),
            Report.Fail.Kind.PERMANENT,
            new Failure("input_missing", message),
            null,
            jitter.getAsDouble()));
  }
}
