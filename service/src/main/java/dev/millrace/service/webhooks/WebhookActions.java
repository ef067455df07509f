package dev.millrace.service.webhooks;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.webhooks.DeliveryView;
import dev.millrace.postgres.webhooks.WebhookView;
import dev.millrace.postgres.webhooks.Webhooks;
import dev.millrace.service.access.Principal;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** What an admin does with the endpoints of a tenant. Each change is in the audit. */
public final class WebhookActions {

  /** How long the secret before works too, if nobody says otherwise. */
  public static final Duration USUAL_OVERLAP = Duration.ofDays(1);

  private final Outgoing outgoing;

  public WebhookActions(Outgoing outgoing) {
    this.outgoing = outgoing;
  }

  public Optional<WebhookView> find(Principal by, UUID id) {
    return outgoing.endpoints().find(by.tenant(), id);
  }

  /** A new endpoint with its secret; nothing if there are as many as a tenant may have. */
  public Optional<Outgoing.Shown> create(Principal by, Webhooks.Wish wish) {
    UUID id = UuidCreator.getTimeOrderedEpoch();
    return outgoing.create(id, wish, line(by, "webhook.create", id));
  }

  public Optional<WebhookView> change(Principal by, UUID id, Webhooks.Wish wish) {
    return outgoing.endpoints().change(id, wish, line(by, "webhook.change", id));
  }

  /** False if there is none. */
  public boolean remove(Principal by, UUID id) {
    return outgoing.endpoints().delete(id, line(by, "webhook.delete", id));
  }

  /** The next secret; nothing if somebody rotates at the same time. */
  public Optional<Outgoing.Shown> rotate(Principal by, WebhookView webhook, Duration overlap) {
    return outgoing.rotate(webhook, overlap, line(by, "webhook.rotate", webhook.id()));
  }

  public Optional<WebhookView> enable(Principal by, UUID id) {
    return outgoing.enable(id, line(by, "webhook.enable", id));
  }

  public Optional<WebhookView> disable(Principal by, UUID id) {
    return outgoing.endpoints().disable(id, "asked", line(by, "webhook.disable", id));
  }

  /** A delivery by the name of its message. */
  public Optional<DeliveryView> delivery(WebhookView webhook, String message) {
    return Optional.of(message)
        .filter(text -> text.matches("msg_[0-9a-z_]{1,60}"))
        .flatMap(text -> outgoing.deliveries().find(webhook.tenantId(), webhook.id(), text));
  }

  private static Audit.Line line(Principal by, String action, UUID id) {
    return by.audit(action, id.toString(), null);
  }
}
