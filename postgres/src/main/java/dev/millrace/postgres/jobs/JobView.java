package dev.millrace.postgres.jobs;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as its owner sees it.
 *
 * @param priceUnit what is counted: job, output or second
 * @param priceRate credits for one unit; 0 where the whole job is the unit
 * @param delivered how many units the newest result has
 * @param follows the job whose approval started this one
 * @param followUpId the job that its own approval started
 * @param summary a JSON object, or null while empty
 * @param input the resolved input, a JSON object; null in lists
 */
public record JobView(
    int tenantId,
    UUID id,
    String effect,
    int workflowId,
    String workflow,
    String userId,
    String state,
    int progress,
    @Nullable String step,
    @Nullable String message,
    @Nullable String summary,
    int priority,
    int attempts,
    int failures,
    int interruptions,
    long held,
    boolean holdOpen,
    long captured,
    String priceUnit,
    long priceRate,
    long delivered,
    @Nullable String errorCode,
    @Nullable String errorMessage,
    @Nullable String input,
    Instant createdAt,
    Instant dueAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt,
    @Nullable Instant deadlineAt,
    @Nullable UUID retryOf,
    @Nullable UUID follows,
    @Nullable UUID followUpId,
    @Nullable UUID batchId,
    @Nullable Instant overturnedAt,
    int events) {

  public long refunded() {
    return holdOpen ? 0 : held - captured;
  }
}
