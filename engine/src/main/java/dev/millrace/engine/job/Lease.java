package dev.millrace.engine.job;

import java.time.Instant;
import java.util.UUID;

/** A time-bounded claim on a job; only who carries the token may report on it. */
public record Lease(UUID token, String worker, Instant expiresAt) {

  public Lease until(Instant later) {
    return new Lease(token, worker, later);
  }
}
