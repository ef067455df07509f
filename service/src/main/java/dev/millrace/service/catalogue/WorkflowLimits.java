package dev.millrace.service.catalogue;

/**
 * How long a workflow's jobs may take.
 *
 * @param runSeconds from the start of an attempt to its end
 * @param queueSeconds from acceptance to the start of the first attempt
 */
public record WorkflowLimits(long runSeconds, long queueSeconds) {

  public static final long MAX_RUN_SECONDS = 7 * 86_400;
  public static final long MAX_QUEUE_SECONDS = 30 * 86_400;

  public WorkflowLimits {
    if (runSeconds < 1 || queueSeconds < 1) {
      throw new IllegalArgumentException("a limit below one second would end every job");
    }
  }
}
