package dev.millrace.postgres.jobs;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A batch as it was accepted.
 *
 * @param atomic whether one refusal would have refused all
 * @param size how many jobs were decided in it; in a partial one, some of them may have been
 *     refused
 */
public record BatchView(
    int tenantId,
    UUID id,
    String userId,
    boolean atomic,
    int size,
    @Nullable String workspace,
    Instant createdAt) {}
