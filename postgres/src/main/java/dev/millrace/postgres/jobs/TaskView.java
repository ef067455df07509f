package dev.millrace.postgres.jobs;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as it stands.
 *
 * @param filter a JSON object
 * @param newest the newest job that there was when it was made; newer ones are not touched
 * @param cursor the job up to which it is done, or null
 * @param claimedUntil until when a node works on it. The exact time is also that node's proof
 */
public record TaskView(
    int tenantId,
    UUID id,
    String action,
    String filter,
    String state,
    String actor,
    UUID newest,
    @Nullable UUID cursor,
    int seen,
    int done,
    int skipped,
    int failed,
    long credits,
    @Nullable Instant claimedUntil,
    Instant createdAt,
    @Nullable Instant finishedAt) {}
