package dev.millrace.engine.sim;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.memory.MemoryTables;
import dev.millrace.engine.port.Changes;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** The best jobs are leased first, and none waits while a worker that knows it has room. */
final class FairOrder {

  private static final Comparator<Changes.NewJob> BEST_FIRST =
      Comparator.comparingInt((Changes.NewJob row) -> -row.job().facts().priority())
          .thenComparingLong(Changes.NewJob::virtualStart)
          .thenComparing(row -> row.job().id());

  private FairOrder() {}

  static void check(MemoryTables tables, List<Oracle.Served> served) {
    for (Job job : tables.jobs.values()) {
      if (job.state() == State.QUEUED) {
        check(tables, served, job);
      }
    }
  }

  private static void check(MemoryTables tables, List<Oracle.Served> served, Job waiting) {
    int workflow = waiting.facts().workflowId();
    Changes.NewJob behind = Objects.requireNonNull(tables.made.get(waiting.id()));
    for (Oracle.Served one : served) {
      for (Leased leased : one.leased()) {
        Changes.NewJob ahead = Objects.requireNonNull(tables.made.get(leased.job().id()));
        require(
            leased.job().facts().workflowId() != workflow || BEST_FIRST.compare(ahead, behind) < 0,
            "the best job is leased first",
            ahead,
            behind);
      }
      boolean room = one.leased().size() < one.ask().max();
      require(
          !room || !one.ask().workflowIds().contains(workflow),
          "nothing waits for a worker that has room",
          one.ask(),
          waiting);
    }
  }
}
