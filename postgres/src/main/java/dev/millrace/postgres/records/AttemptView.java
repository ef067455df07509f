package dev.millrace.postgres.records;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One try at a job. */
public record AttemptView(
    int number,
    String worker,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String outcome,
    @Nullable String error) {}
