package dev.millrace.postgres.webhooks;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint that wants to be told.
 *
 * @param events types of events, or {@code *}
 */
public record WebhookView(
    int tenantId,
    UUID id,
    String url,
    @Nullable String description,
    List<String> events,
    Secret secret,
    Health health,
    Instant createdAt) {

  /**
   * What signs.
   *
   * @param secretNumber which of its secrets does
   * @param secretHash SHA-256 of that secret, in hexadecimal
   * @param previousHash of the secret before, while that signs too
   */
  public record Secret(
      int secretNumber,
      String secretHash,
      @Nullable String previousHash,
      @Nullable Instant previousUntil) {}

  /**
   * Whether it can be reached.
   *
   * @param failingSince the first failure after the last success
   * @param disabledFor asked, gone or failing
   */
  public record Health(
      @Nullable Instant failingSince, @Nullable Instant disabledAt, @Nullable String disabledFor) {}

  public WebhookView {
    events = List.copyOf(events);
  }
}
