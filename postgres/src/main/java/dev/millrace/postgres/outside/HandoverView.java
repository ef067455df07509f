package dev.millrace.postgres.outside;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that an outside provider took, or may have taken.
 *
 * @param token of its lease, which whoever collects the result carries
 * @param reference the provider's own name for it; null while nobody knows whether it took it
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
    @Nullable String reference,
    Instant intendedAt,
    String state,
    int runSeconds,
    int progress,
    String input) {}
