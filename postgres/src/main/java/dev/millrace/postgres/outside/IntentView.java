package dev.millrace.postgres.outside;

import java.time.Instant;
import java.util.UUID;

/**
 * An attempt that was to be handed over, and of which nobody knows whether it was.
 *
 * @param token of the lease that it had
 * @param quietSeconds for how long nobody can have sent it, by the database's clock
 * @param counted false if it was interrupted, and no failure has counted for that yet
 */
public record IntentView(
    int attempt,
    UUID token,
    String provider,
    Instant intendedAt,
    double quietSeconds,
    boolean counted) {}
