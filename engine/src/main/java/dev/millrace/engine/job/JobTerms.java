package dev.millrace.engine.job;

import dev.millrace.engine.money.Price;

/**
 * What a job was accepted with. Only its queue may become another one while it waits.
 *
 * @param workflowId the queue it waits in
 * @param runSeconds how long one attempt may take
 * @param queueSeconds how long it may wait for one
 */
public record JobTerms(
    long walletId,
    int effectId,
    int workflowId,
    int priority,
    int runSeconds,
    int queueSeconds,
    Rules rules) {

  /** The same in another queue. */
  public JobTerms in(int otherWorkflow) {
    return new JobTerms(
        walletId, effectId, otherWorkflow, priority, runSeconds, queueSeconds, rules);
  }

  /**
   * What the effect said about results and their money when the job was accepted.
   *
   * @param review whether a result is held for a reviewer
   * @param safetyRefund whether a safety rejection gives the credits back
   * @param declineConsumes whether a reviewer's decline keeps them
   */
  public record Rules(boolean review, boolean safetyRefund, boolean declineConsumes, Price price) {
    public static final Rules USUAL = new Rules(false, false, false, Price.OF_THE_JOB);
  }
}
