package dev.millrace.engine.job;

/**
 * What never changes about a job.
 *
 * @param workflowId the queue it waits in
 * @param review whether a result is held for a reviewer
 * @param safetyRefund whether a safety rejection gives the credits back
 * @param runSeconds how long one attempt may take
 * @param queueSeconds how long it may wait for one
 */
public record Facts(
    long walletId,
    int effectId,
    int workflowId,
    int priority,
    int runSeconds,
    int queueSeconds,
    boolean review,
    boolean safetyRefund) {}
