package dev.millrace.postgres.jobs;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One try at a job.
 *
 * @param provider the service that it was handed to, or was about to be; null if none
 * @param reference what the service calls it, once it has said so
 */
public record AttemptView(
    int number,
    String worker,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String outcome,
    @Nullable String error,
    @Nullable String provider,
    @Nullable String reference) {}
