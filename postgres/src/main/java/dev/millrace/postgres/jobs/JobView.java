package dev.millrace.postgres.jobs;

import dev.millrace.engine.lifecycle.State;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job as its owner sees it. */
public record JobView(
    UUID id,
    State state,
    Request request,
    Report report,
    Tries tries,
    Credits credits,
    Times times,
    Links links) {

  /**
   * What was asked for, and by whom.
   *
   * @param input the resolved input, a JSON object; null in lists
   */
  public record Request(
      int tenantId,
      String userId,
      String effect,
      int workflowId,
      String workflow,
      int priority,
      @Nullable String input) {}

  /**
   * How far it is, as whoever runs it says.
   *
   * @param summary a JSON object, or null while empty
   * @param events how many there are in its history
   */
  public record Report(
      int progress,
      @Nullable String step,
      @Nullable String message,
      @Nullable String summary,
      int events) {}

  /** How often it was tried, and what went wrong last. */
  public record Tries(
      int attempts,
      int failures,
      int interruptions,
      @Nullable String errorCode,
      @Nullable String errorMessage) {}

  /**
   * What it costs.
   *
   * @param priceUnit what is counted: job, output or second
   * @param priceRate credits for one unit; 0 where the whole job is the unit
   * @param delivered how many units the newest result has
   */
  public record Credits(
      long held,
      boolean holdOpen,
      long captured,
      String priceUnit,
      long priceRate,
      long delivered) {

    public long refunded() {
      return holdOpen ? 0 : held - captured;
    }
  }

  /** When what happened to it, or is to happen. */
  public record Times(
      Instant createdAt,
      Instant dueAt,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt,
      @Nullable Instant deadlineAt,
      @Nullable Instant overturnedAt) {}

  /**
   * Which others it belongs to.
   *
   * @param follows the job whose approval started this one
   * @param followUpId the job that its own approval started
   * @param workspace a label of the tenant's own
   * @param notes what else whoever asked wrote on it, a JSON object
   */
  public record Links(
      @Nullable UUID retryOf,
      @Nullable UUID follows,
      @Nullable UUID followUpId,
      @Nullable UUID batchId,
      @Nullable String workspace,
      @Nullable String notes) {}
}
