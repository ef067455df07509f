package dev.millrace.postgres.webhooks;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message for one endpoint.
 *
 * @param n counts all deliveries, and is the cursor of lists
 * @param message its id, the same at every attempt
 * @param state pending, delivered, failed, or held while the endpoint is disabled
 * @param nextAt when it is tried, if it is pending
 * @param status of the last answer
 * @param error why there was no last answer
 */
public record DeliveryView(
    long n,
    UUID webhookId,
    String message,
    String type,
    @Nullable UUID jobId,
    String payload,
    String state,
    int attempts,
    Instant createdAt,
    Instant nextAt,
    @Nullable Instant finishedAt,
    @Nullable Integer status,
    @Nullable String error) {

  /**
   * One time it was sent.
   *
   * @param status null if there was no answer
   * @param error null if there was one
   * @param excerpt the beginning of the answer
   */
  public record Attempt(
      int number,
      Instant sentAt,
      int millis,
      @Nullable Integer status,
      @Nullable String error,
      @Nullable String excerpt) {}
}
