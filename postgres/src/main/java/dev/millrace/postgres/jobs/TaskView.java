package dev.millrace.postgres.jobs;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as it stands.
 *
 * @param cursor the job up to which it is done, or null
 * @param claimedUntil until when a node works on it. The exact time is also that node's proof
 */
public record TaskView(
    int tenantId,
    UUID id,
    TaskState state,
    Request request,
    @Nullable UUID cursor,
    Counts counts,
    @Nullable Instant claimedUntil,
    Times times) {

  /**
   * What is to be done, by whom.
   *
   * @param filter a JSON object
   * @param newest the newest job that there was when it was made; newer ones are not touched
   */
  public record Request(String action, String filter, String actor, UUID newest) {}

  /** What became of the jobs so far. */
  public record Counts(int seen, int done, int skipped, int failed, long credits) {}

  public record Times(Instant createdAt, @Nullable Instant finishedAt) {}
}
