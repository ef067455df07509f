package dev.millrace.postgres.records;

import java.time.Instant;
import java.util.UUID;

/**
 * An attempt that an outside provider took.
 *
 * @param token of its lease, which whoever collects the result carries
 * @param reference the provider's own name for it
 * @param state of the job, when it was read
 * @param runSeconds how long the provider may take in all
 * @param input resolved, a JSON text
 */
public record HandoverView(
    int tenantId,
    UUID jobId,
    int attempt,
    UUID token,
    int workflowId,
    String provider,
    String reference,
    Instant intendedAt,
    String state,
    int runSeconds,
    int progress,
    String input) {}
