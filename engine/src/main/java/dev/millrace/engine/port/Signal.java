package dev.millrace.engine.port;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.lifecycle.State;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * What others may be waiting for: queues that have new work, jobs that have new events, and workers
 * that somebody changed. It only wakes; whoever is woken looks at the data.
 *
 * @param workers by their unguessable ids, not by the names that they gave themselves
 * @param everything true when too much happened to name it
 */
public record Signal(
    Set<Integer> workflows, Set<UUID> jobs, Set<UUID> workers, boolean everything) {

  public static final Signal EVERYTHING = new Signal(Set.of(), Set.of(), Set.of(), true);

  public Signal {
    workflows = Set.copyOf(workflows);
    jobs = Set.copyOf(jobs);
    workers = Set.copyOf(workers);
  }

  /** There is work in a queue. */
  public static Signal ofQueue(int workflow) {
    return new Signal(Set.of(workflow), Set.of(), Set.of(), false);
  }

  /** Somebody changed a worker. */
  public static Signal ofWorker(UUID worker) {
    return new Signal(Set.of(), Set.of(), Set.of(worker), false);
  }

  public boolean isEmpty() {
    return !everything && workflows.isEmpty() && jobs.isEmpty() && workers.isEmpty();
  }

  public static Signal of(Changes changes) {
    Set<Integer> workflows = new HashSet<>();
    Set<UUID> jobs = new HashSet<>();
    for (Changes.NewJob created : changes.created()) {
      addQueue(workflows, created.job());
    }
    for (Job job : changes.changed()) {
      addQueue(workflows, job);
    }
    for (JobEvent event : changes.events()) {
      jobs.add(event.job().uuid());
    }
    return new Signal(workflows, jobs, Set.of(), false);
  }

  private static void addQueue(Set<Integer> workflows, Job job) {
    if (job.state() == State.QUEUED) {
      workflows.add(job.terms().workflowId());
    }
  }
}
