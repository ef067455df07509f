package dev.millrace.service.webhooks;

import dev.millrace.postgres.history.EventLog.Entry;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What is sent: which job, and how it stands. Whoever wants more asks the API for the job. */
public final class Payload {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9_]{0,49}");

  private Payload() {}

  /** The id of the message about an event; the same on every node, whenever it is made. */
  public static String id(Entry event) {
    return "msg_%s_%d".formatted(hex(event.jobId()), event.seq());
  }

  /** The id of a message about no event. */
  static String id(UUID unique) {
    return "msg_" + hex(unique);
  }

  private static String hex(UUID id) {
    return id.toString().replace("-", "").toLowerCase(Locale.ROOT);
  }

  /** The message about an event. */
  public static ObjectNode of(Entry event) {
    ObjectNode json = JSON.createObjectNode();
    json.put("type", EventTypes.of(event));
    json.put("timestamp", event.at().toString());
    ObjectNode data = json.putObject("data");
    data.put("job_id", event.jobId().toString());
    data.put("sequence", event.seq());
    data.put("state", event.change().state().label());
    if (event.change().fromState() != null) {
      data.put("previous_state", event.change().fromState().label());
    }
    data.put("progress", event.progress());
    data.put("attempt", event.attempt());
    if (event.errorCode() != null && CODE.matcher(event.errorCode()).matches()) {
      data.put("error_code", event.errorCode());
    }
    return json;
  }

  /** A message that only shows that messages arrive. */
  static ObjectNode test(UUID webhook, Instant now) {
    ObjectNode json = JSON.createObjectNode();
    json.put("type", EventTypes.TEST);
    json.put("timestamp", now.toString());
    json.putObject("data").put("webhook_id", webhook.toString());
    return json;
  }
}
