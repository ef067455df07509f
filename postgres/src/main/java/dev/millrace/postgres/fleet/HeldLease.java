package dev.millrace.postgres.fleet;

import java.util.UUID;

/**
 * A job that a worker holds, or held.
 *
 * @param attempt the try that the lease is for
 */
public record HeldLease(int tenantId, UUID jobId, int effectId, int workflowId, int attempt) {}
