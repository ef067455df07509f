package dev.millrace.service.jobs;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.engine.port.Changes.Links;
import dev.millrace.service.json.JsonMappers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells whether two requests with one idempotency key ask for the same. It is taken of what the
 * user sent, not of what the effect makes of it, so that a retry after a change of the catalogue is
 * still the same request. The order of keys in an object does not matter.
 */
public final class Fingerprint {

  private Fingerprint() {}

  /** To do a job again is one request, whatever the catalogue makes of its input today. */
  static String of(JobRequest request, Links links) {
    if (links.retryOf() != null) {
      return Sha256.hex("retry of " + links.retryOf());
    }
    ObjectNode whole = JsonMappers.CANONICAL.createObjectNode();
    whole.put("effect", request.effect());
    whole.set("input", request.input());
    whole.put("priority", request.priority());
    whole.put("run_at", request.runAt() == null ? "" : request.runAt().toString());
    if (request.workspace() != null) {
      whole.put("workspace", request.workspace());
    }
    return Sha256.hex(JsonMappers.CANONICAL.writeValueAsString((JsonNode) whole));
  }

  /** Of any other request, as it was sent. */
  public static String of(JsonNode request) {
    return Sha256.hex(JsonMappers.CANONICAL.writeValueAsString(request));
  }
}
