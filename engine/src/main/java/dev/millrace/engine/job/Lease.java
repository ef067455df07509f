package dev.millrace.engine.job;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A time-bounded claim on a job; only who carries the token may report on it.
 *
 * @param provider the outside provider that this attempt was, or may have been, handed to; set
 *     before the call, so that nobody hands it over again without asking
 */
public record Lease(UUID token, String worker, Instant expiresAt, @Nullable String provider) {

  public Lease(UUID token, String worker, Instant expiresAt) {
    this(token, worker, expiresAt, null);
  }

  public Lease until(Instant later) {
    return new Lease(token, worker, later, provider);
  }

  public Lease intending(String to) {
    return new Lease(token, worker, expiresAt, to);
  }
}
