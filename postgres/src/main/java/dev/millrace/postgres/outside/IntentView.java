package dev.millrace.postgres.outside;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that was handed over, or was to be, and got no clear answer.
 *
 * @param token of the lease that it had
 * @param reference of the work that it waits for or waited for, which may be another attempt's
 * @param quietSeconds for how long nobody can have sent it, by the database's clock
 * @param judged whether its provider has said before that it has nothing, or that it ended badly
 * @param counted false if it was interrupted, and no failure has counted for that yet
 */
public record IntentView(
    int attempt,
    UUID token,
    String provider,
    @Nullable String reference,
    Instant intendedAt,
    double quietSeconds,
    boolean judged,
    boolean counted) {}
