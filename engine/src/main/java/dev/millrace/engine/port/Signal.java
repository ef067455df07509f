package dev.millrace.engine.port;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.lifecycle.State;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * What others may be waiting for: queues that have new work, and jobs that have new events. It only
 * wakes; whoever is woken looks at the data.
 *
 * @param everything true when too much happened to name it
 */
public record Signal(Set<Integer> workflows, Set<UUID> jobs, boolean everything) {

  public static final Signal EVERYTHING = new Signal(Set.of(), Set.of(), true);

  public Signal {
    workflows = Set.copyOf(workflows);
    jobs = Set.copyOf(jobs);
  }

  public boolean isEmpty() {
    return !everything && workflows.isEmpty() && jobs.isEmpty();
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
    return new Signal(workflows, jobs, false);
  }

  private static void addQueue(Set<Integer> workflows, Job job) {
    if (job.state() == State.QUEUED) {
      workflows.add(job.terms().workflowId());
    }
  }
}
