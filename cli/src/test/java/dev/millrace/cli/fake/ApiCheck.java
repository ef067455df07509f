package dev.millrace.cli.fake;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.testkit.openapi.OpenApiCheck;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Holds what the fake server says against the OpenAPI file. Answers here have only the fields that
 * the commands read; each of them is described, and has a value that is allowed there. Problems are
 * whole.
 */
final class ApiCheck {

  static final JsonNode API = partial(OpenApiCheck.described());

  private static final OpenApiCheck STRICT = new OpenApiCheck(API, true);

  /** Ids may be short names here, so that one can tell them apart. */
  private static final OpenApiCheck SHORT_IDS = new OpenApiCheck(API, false);

  private ApiCheck() {}

  /** What is wrong with a JSON answer to this request; nothing, if it is none of the API. */
  static List<String> answer(String method, String path, int status, String body) {
    return path.startsWith("/api/")
        ? SHORT_IDS.answer(
            method,
            path,
            status,
            type(status),
            body.isEmpty() ? MissingNode.getInstance() : ApiJson.parse(body))
        : List.of();
  }

  /** Of what kind an answer with this status is. */
  static String type(int status) {
    return status < 400 ? "application/json" : "application/problem+json";
  }

  /** What is wrong with a value in the eyes of a schema of the file. */
  static List<String> complaints(JsonNode schema, String value) {
    return STRICT.complaints(schema, ApiJson.parse(value));
  }

  /** The same file, where fields may be left out, and none that is not described may be there. */
  private static JsonNode partial(JsonNode api) {
    ObjectNode schemas = (ObjectNode) api.at("/components/schemas");
    JsonNode problem = schemas.path("Problem").path("required").deepCopy();
    loosen(api);
    ((ObjectNode) schemas.path("Problem")).set("required", problem);
    return api;
  }

  private static void loosen(JsonNode node) {
    if (node instanceof ObjectNode object && object.path("properties").isObject()) {
      object.remove("required");
      if (!object.has("additionalProperties")) {
        object.put("additionalProperties", false);
      }
    }
    // Parts may be smaller here than any store takes them.
    if (node.path("part_bytes") instanceof ObjectNode size) {
      size.remove("minimum");
    }
    node.values().forEach(ApiCheck::loosen);
  }
}
