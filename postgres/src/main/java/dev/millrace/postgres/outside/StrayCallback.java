package dev.millrace.postgres.outside;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A callback that nobody has judged yet, and the attempt that it speaks of, as far as that is
 * known.
 *
 * @param intent what it was handed over with, if the callback names it
 */
public record StrayCallback(
    String provider,
    String event,
    String reference,
    @Nullable String intent,
    Instant receivedAt,
    @Nullable Integer tenantId,
    @Nullable UUID jobId,
    Attempt attempt) {

  /** The token that the attempt was leased by, and whether it has ended. */
  public record Attempt(@Nullable UUID token, boolean over) {}

  public @Nullable UUID token() {
    return attempt.token;
  }

  public boolean over() {
    return attempt.over;
  }
}
