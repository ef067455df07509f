package dev.millrace.engine.command;

import dev.millrace.engine.job.Job;
import java.util.List;
import java.util.UUID;

/**
 * Asks for work.
 *
 * @param worker who will do it
 * @param workflowIds what the worker knows; nothing else is ever given to it
 * @param max how many it can take now
 * @param enrolled whether the store knows the worker, and so how many it may hold at all
 */
public record LeaseJobs(String worker, List<Integer> workflowIds, int max, boolean enrolled) {

  /** As an executor asks that is part of the server, and nobody else counts its jobs. */
  public LeaseJobs(String worker, List<Integer> workflowIds, int max) {
    this(worker, workflowIds, max, false);
  }

  public LeaseJobs {
    workflowIds = List.copyOf(workflowIds);
    if (max < 1) {
      throw new IllegalArgumentException("asks for no job");
    }
  }

  /**
   * A job that is now the worker's.
   *
   * @param input the resolved input, a JSON text
   */
  public record Leased(Job job, UUID token, String input) {}
}
