package dev.millrace.postgres.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One line of a job's history. */
public record EventView(
    int seq,
    @Nullable String trigger,
    @Nullable String fromState,
    String state,
    int progress,
    @Nullable String step,
    @Nullable String message,
    @Nullable String summary,
    int attempt,
    Instant at) {}
