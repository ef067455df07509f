package dev.millrace.engine.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When things happened, by the database's clock.
 *
 * @param dueAt before this a pending job is not claimable
 * @param startedAt of the newest attempt
 * @param deadlineAt when the reaper ends what the job is doing now; null once terminal
 * @param changedAt of the newest event; the next one is never earlier
 */
public record Times(
    Instant createdAt,
    Instant dueAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt,
    @Nullable Instant deadlineAt,
    Instant changedAt) {

  public Times started(Instant at, Instant deadline) {
    return new Times(createdAt, dueAt, at, null, deadline, changedAt);
  }

  public Times finished(Instant at) {
    return new Times(createdAt, dueAt, startedAt, at, null, changedAt);
  }

  public Times due(Instant due, Instant deadline) {
    return new Times(createdAt, due, startedAt, finishedAt, deadline, changedAt);
  }

  /** Alive again after its end. */
  public Times revived(Instant due, Instant deadline) {
    return new Times(createdAt, due, startedAt, null, deadline, changedAt);
  }

  public Times deadline(Instant deadline) {
    return new Times(createdAt, dueAt, startedAt, finishedAt, deadline, changedAt);
  }

  public Times changed(Instant at) {
    return new Times(createdAt, dueAt, startedAt, finishedAt, deadlineAt, at);
  }
}
