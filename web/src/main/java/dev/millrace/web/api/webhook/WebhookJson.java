package dev.millrace.web.api.webhook;

import dev.millrace.postgres.webhooks.DeliveryState;
import dev.millrace.postgres.webhooks.DeliveryView;
import dev.millrace.postgres.webhooks.WebhookView;
import dev.millrace.web.api.json.JobJson;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Endpoints and deliveries as the API shows them. */
final class WebhookJson {

  private static final JsonMapper JSON = JsonMapper.shared();

  private WebhookJson() {}

  static ObjectNode webhook(WebhookView webhook) {
    ObjectNode json = JSON.createObjectNode();
    json.put("id", webhook.id().toString());
    json.put("url", webhook.url());
    json.put("description", webhook.description());
    var events = json.putArray("events");
    webhook.events().forEach(events::add);
    json.put("enabled", webhook.health().disabledAt() == null);
    json.put("disabled_at", JobJson.text(webhook.health().disabledAt()));
    json.put("disabled_for", webhook.health().disabledFor());
    json.put("failing_since", JobJson.text(webhook.health().failingSince()));
    json.put("secret_number", webhook.secret().secretNumber());
    json.put("previous_secret_until", JobJson.text(webhook.secret().previousUntil()));
    json.put("created_at", webhook.createdAt().toString());
    return json;
  }

  static ObjectNode delivery(DeliveryView delivery) {
    ObjectNode json = JSON.createObjectNode();
    json.put("id", delivery.content().message());
    json.put("type", delivery.content().type());
    json.put("job_id", JobJson.text(delivery.content().jobId()));
    json.put("state", delivery.state().label());
    json.put("attempts", delivery.attempts());
    json.put("status", delivery.answer().status());
    json.put("error", delivery.answer().error());
    json.put("created_at", delivery.times().createdAt().toString());
    json.put(
        "next_attempt_at",
        delivery.state() == DeliveryState.PENDING ? delivery.times().nextAt().toString() : null);
    json.put("finished_at", JobJson.text(delivery.times().finishedAt()));
    return json;
  }

  static ObjectNode whole(DeliveryView delivery, List<DeliveryView.DeliveryTry> attempts) {
    ObjectNode json = delivery(delivery);
    json.set("payload", JSON.readTree(delivery.content().payload()));
    var log = json.putArray("log");
    for (DeliveryView.DeliveryTry attempt : attempts) {
      log.addObject()
          .put("number", attempt.number())
          .put("sent_at", attempt.sentAt().toString())
          .put("millis", attempt.millis())
          .put("status", attempt.status())
          .put("error", attempt.error())
          .put("excerpt", attempt.excerpt());
    }
    return json;
  }
}
