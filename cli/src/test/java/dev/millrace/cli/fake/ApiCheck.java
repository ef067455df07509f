package dev.millrace.cli.fake;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import dev.millrace.cli.api.ApiJson;
import dev.millrace.web.api.OpenApi;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Holds what the fake server says against the OpenAPI file: an answer that the real one never gives
 * would prove nothing. Answers here have only the fields that the commands read; each of them is
 * described, and has a value that is allowed there.
 */
final class ApiCheck {

  static final JsonNode API = partial(OpenApi.load());

  private static final SchemaRegistry STRICT = registry(true);

  /** Ids may be short names here, so that one can tell them apart. */
  private static final SchemaRegistry SHORT_IDS = registry(false);

  private static final Map<JsonNode, Schema> ANSWERS = new ConcurrentHashMap<>();

  private ApiCheck() {}

  /** What is wrong with a JSON answer to this request; nothing, if it is none of the API. */
  static List<String> answer(String method, String path, int status, String body) {
    if (!path.startsWith("/api/")) {
      return List.of();
    }
    String where = method + " " + path + " " + status;
    JsonNode described =
        API.path("paths").properties().stream()
            .filter(each -> path.matches(pattern(each.getKey())))
            // A literal path has fewer braces than one with a parameter in its place.
            .min(
                Comparator.comparingLong(
                    each -> each.getKey().chars().filter(c -> c == '{').count()))
            .map(each -> each.getValue().path(method.toLowerCase(Locale.ROOT)).path("responses"))
            .orElseGet(() -> API.path("nowhere"));
    JsonNode response = described.path(Integer.toString(status));
    if (response.isMissingNode()) {
      return List.of(where + " is not described");
    }
    JsonNode schema = resolved(response).at("/content/application~1json/schema");
    if (schema.isMissingNode()) {
      return body.isEmpty() ? List.of() : List.of(where + " has no JSON");
    }
    Schema compiled = ANSWERS.computeIfAbsent(schema, each -> compile(SHORT_IDS, each));
    return complaints(compiled, body).stream().map(wrong -> where + ": " + wrong).toList();
  }

  /** What is wrong with a value in the eyes of a schema of the file. */
  static List<String> complaints(JsonNode schema, String value) {
    return complaints(compile(STRICT, schema), value);
  }

  private static List<String> complaints(Schema compiled, String value) {
    return compiled.validate(ApiJson.parse(value)).stream()
        .map(Object::toString)
        .distinct()
        .toList();
  }

  private static SchemaRegistry registry(boolean formats) {
    return SchemaRegistry.withDialect(
        Dialects.getDraft202012(),
        builder ->
            builder.schemaRegistryConfig(
                SchemaRegistryConfig.builder()
                    .locale(Locale.ROOT)
                    .formatAssertionsEnabled(formats)
                    .build()));
  }

  private static Schema compile(SchemaRegistry registry, JsonNode schema) {
    ObjectNode whole = ApiJson.object();
    whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    whole.set("components", API.path("components"));
    whole.putArray("allOf").add(schema);
    return registry.getSchema(whole);
  }

  private static JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? API.at(node.path("$ref").stringValue().substring(1)) : node;
  }

  /** Effects have slashes in their names. */
  private static String pattern(String template) {
    return template.replaceAll("\\{slug}", ".+").replaceAll("\\{[a-z_]+}", "[^/]+");
  }

  /** The same file, where fields may be left out, and none that is not described may be there. */
  private static JsonNode partial(JsonNode node) {
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
    node.values().forEach(ApiCheck::partial);
    return node;
  }
}
