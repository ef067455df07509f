package dev.millrace.engine.sim;

import static dev.millrace.engine.memory.BrokenLaw.require;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.memory.MemoryTables;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The best jobs are leased first, and none waits while a worker that knows it has room; but what
 * its tenant's or its effect's cap keeps from starting stands in nobody's way.
 */
final class FairOrder {

  private FairOrder() {}

  private static Comparator<Job> bestFirst(MemoryTables tables) {
    return Comparator.comparingInt((Job job) -> -job.terms().priority())
        .thenComparingLong(job -> Objects.requireNonNull(tables.places.get(job.id())))
        .thenComparing(Job::id);
  }

  static void check(MemoryTables tables, List<Oracle.Served> served, CapLaws.Running running) {
    for (Job job : tables.jobs.values()) {
      if (job.state() == State.QUEUED && running.room(job)) {
        check(tables, served, job);
      }
    }
  }

  private static void check(MemoryTables tables, List<Oracle.Served> served, Job waiting) {
    int workflow = waiting.terms().workflowId();
    Comparator<Job> bestFirst = bestFirst(tables);
    for (Oracle.Served one : served) {
      for (Leased leased : one.leased()) {
        require(
            leased.job().terms().workflowId() != workflow
                || bestFirst.compare(leased.job(), waiting) < 0,
            "the best job is leased first",
            leased,
            waiting);
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
