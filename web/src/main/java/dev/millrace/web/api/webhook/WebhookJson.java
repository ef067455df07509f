package dev.millrace.web.api.webhook;

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
    json.put("enabled", webhook.disabledAt() == null);
    json.put("disabled_at", JobJson.text(webhook.disabledAt()));
    json.put("disabled_for", webhook.disabledFor());
    json.put("failing_since", JobJson.text(webhook.failingSince()));
    json.put("secret_number", webhook.secretNumber());
    json.put("previous_secret_until", JobJson.text(webhook.previousUntil()));
    json.put("created_at", webhook.createdAt().toString());
    return json;
  }

  static ObjectNode delivery(DeliveryView delivery) {
    ObjectNode json = JSON.createObjectNode();
    json.put("id", delivery.message());
    json.put("type", delivery.type());
    json.put("job_id", JobJson.text(delivery.jobId()));
    json.put("state", delivery.state());
    json.put("attempts", delivery.attempts());
    json.put("status", delivery.status());
    json.put("error", delivery.error());
    json.put("created_at", delivery.createdAt().toString());
    json.put(
        "next_attempt_at",
        delivery.state().equals("pending") ? delivery.nextAt().toString() : null);
    json.put("finished_at", JobJson.text(delivery.finishedAt()));
    return json;
  }

  static ObjectNode whole(DeliveryView delivery, List<DeliveryView.Attempt> attempts) {
    ObjectNode json = delivery(delivery);
    json.set("payload", JSON.readTree(delivery.payload()));
    var log = json.putArray("log");
    for (DeliveryView.Attempt attempt : attempts) {
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
