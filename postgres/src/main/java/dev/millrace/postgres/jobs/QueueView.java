package dev.millrace.postgres.jobs;

/**
 * How a workflow's queue stands, for people and autoscalers.
 *
 * @param oldestAgeSeconds how long the one that waits longest could have started; 0 if none waits
 * @param completedPerMinute on average over the last five whole minutes
 */
public record QueueView(
    int workflowId,
    String workflow,
    boolean paused,
    Load load,
    double oldestAgeSeconds,
    double completedPerMinute,
    Fleet fleet) {

  /**
   * How many jobs there are.
   *
   * @param depth jobs that could start now
   * @param pending jobs that wait for their time or rest after a failure
   * @param running jobs that somebody has a lease for
   * @param demand jobs that run or could start now, and so how many slots would be enough for all
   */
  public record Load(long depth, long pending, long running, long demand) {}

  /**
   * Who could run them.
   *
   * @param busyWorkers workers of the fleet that hold a job
   * @param idleWorkers those that hold none and could
   * @param notReadyWorkers those that can't run anything now, as they say themselves
   * @param idleSlots how many more jobs its workers could hold
   */
  public record Fleet(long busyWorkers, long idleWorkers, long notReadyWorkers, long idleSlots) {}
}
