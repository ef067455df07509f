package dev.millrace.postgres.records;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job that a worker holds, or held.
 *
 * @param attempt the try that the lease is for
 * @param progress of the job now, in percent
 */
public record HeldLease(
    int tenantId,
    UUID jobId,
    int effectId,
    int workflowId,
    int attempt,
    int progress,
    @Nullable String step,
    @Nullable String message) {}
