package dev.millrace.web.api.webhook;

import dev.millrace.postgres.webhooks.Webhooks;
import dev.millrace.service.webhooks.EventTypes;
import dev.millrace.service.webhooks.Outgoing;
import dev.millrace.web.api.request.Body;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what somebody says of an endpoint. */
public final class WebhookReader {

  static final String EVENTS_LAW =
      "must name 1 to 50 types of events, such as job.completed, or be *";

  private static final int LONGEST_URL = 2_000;
  private static final int MOST_EVENTS = 50;

  private WebhookReader() {}

  /** As a request or a form says it. */
  public static Webhooks.Wish read(ObjectNode fields, Outgoing outgoing) {
    Body body = Body.of(fields, "url", "description", "events");
    String url = url(body, outgoing);
    @Nullable String description = body.textOrNull("description");
    List<String> events = events(body);
    body.requireGood();
    return new Webhooks.Wish(url, description, events);
  }

  private static String url(Body body, Outgoing outgoing) {
    JsonNode value = body.raw("url");
    if (value == null) {
      body.wrong("url", "is required");
      return "";
    }
    if (!value.isString() || value.stringValue().length() > LONGEST_URL) {
      body.wrong("url", "must be a web address of at most 2000 characters");
      return "";
    }
    Optional<String> objection = outgoing.objection(value.stringValue());
    objection.ifPresent(reason ->
        body.wrong(
            "url",
            "can't be sent to: "
                + reason
                + ". An operator can allow hosts by MILLRACE_FETCH_ALLOW; for a program on your own"
                + " machine use millrace listen."));
    return value.stringValue();
  }

  private static List<String> events(Body body) {
    JsonNode value = body.raw("events");
    if (value == null) {
      return EventTypes.USUAL;
    }
    List<String> events = new ArrayList<>();
    boolean good = value.isArray() && !value.isEmpty() && value.size() <= MOST_EVENTS;
    for (JsonNode each : value.values()) {
      good &=
          each.isString()
              && (isEvent(each.stringValue()) || EventTypes.askable().contains(each.stringValue()));
      events.add(each.asString(""));
    }
    if (!good) {
      body.wrong("events", EVENTS_LAW);
    }
    return events.stream().distinct().toList();
  }

  static boolean isEvent(String text) {
    return text.equals(EventTypes.ALL) || EventTypes.all().contains(text);
  }
}
