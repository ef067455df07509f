package dev.millrace.postgres.webhooks;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message for one endpoint.
 *
 * @param n counts all deliveries, and is the cursor of lists
 */
public record DeliveryView(
    long n,
    UUID webhookId,
    Content content,
    DeliveryState state,
    int attempts,
    Times times,
    Answer answer) {

  /**
   * What is told.
   *
   * @param message its id, the same at every attempt
   */
  public record Content(String message, String type, @Nullable UUID jobId, String payload) {}

  /**
   * When.
   *
   * @param nextAt when it is tried, if it is pending
   */
  public record Times(Instant createdAt, Instant nextAt, @Nullable Instant finishedAt) {}

  /**
   * What the last attempt brought.
   *
   * @param status of the last answer
   * @param error why there was none
   */
  public record Answer(@Nullable Integer status, @Nullable String error) {}

  /**
   * One time it was sent.
   *
   * @param status null if there was no answer
   * @param error null if there was one
   * @param excerpt the beginning of the answer
   */
  public record DeliveryTry(
      int number,
      Instant sentAt,
      int millis,
      @Nullable Integer status,
      @Nullable String error,
      @Nullable String excerpt) {}
}
