package dev.millrace.worker.fake;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.openapi.OpenApiCheck;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** Holds what the double answers, and what the worker sends, against the OpenAPI file. */
final class ProtocolCheck {

  /** Tests can't wait for whole seconds, so these may be fractions here. */
  private static final List<String> SHORTENED = List.of("lease_seconds", "heartbeat_seconds");

  /** Parts may be smaller here than any store takes them. */
  private static final int SMALLEST_PART = 5 * 1024 * 1024;

  private static final OpenApiCheck CHECK = new OpenApiCheck(OpenApiCheck.described(), true);

  private ProtocolCheck() {}

  /** What is wrong with a request of a worker. One that was broken off has no body. */
  static List<String> request(String path, JsonNode body) {
    return body.isMissingNode() ? List.of() : CHECK.request("POST", path, enlarged(body));
  }

  /** What is wrong with an answer to it. */
  static List<String> answer(String path, Reply.Full reply) {
    byte[] bytes = reply.body().bytes();
    JsonNode body =
        bytes.length == 0 ? MissingNode.getInstance() : enlarged(Reply.JSON.readTree(bytes));
    String type = reply.headers().getOrDefault("Content-Type", "");
    return CHECK.answer("POST", path, reply.status(), type, body);
  }

  private static JsonNode enlarged(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (String name : SHORTENED) {
        if (object.path(name).isNumber()) {
          object.put(name, (long) Math.ceil(object.path(name).asDouble(0)));
        }
      }
      if (object.path("part_bytes").isNumber()) {
        object.put("part_bytes", Math.max(SMALLEST_PART, object.path("part_bytes").asInt(0)));
      }
    }
    node.values().forEach(ProtocolCheck::enlarged);
    return node;
  }
}
