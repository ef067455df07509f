package dev.millrace.server.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import dev.millrace.web.api.request.OpenApi;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The OpenAPI file, held against what the server really answers. Its objects are closed for that: a
 * field that the file does not name is a mistake here, although clients must expect new ones.
 */
public final class Described {

  public static final JsonNode FILE = OpenApi.load();

  private static final JsonNode CLOSED = closed(FILE.deepCopy());
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDialect(
          Dialects.getDraft202012(),
          builder ->
              builder
                  .schemaRegistryConfig(
                      SchemaRegistryConfig.builder()
                          .locale(Locale.ROOT)
                          .formatAssertionsEnabled(true)
                          .build())
                  .schemaLoader(loader -> loader.block(_ -> true)));

  /** By identity: to compare large schemas for every answer costs more than to ask the server. */
  private static final Map<JsonNode, Schema> COMPILED =
      Collections.synchronizedMap(new IdentityHashMap<>());

  private static final List<Path> PATHS =
      CLOSED.path("paths").properties().stream()
          .map(path -> new Path(path.getKey(), pattern(path.getKey()), path.getValue()))
          // A literal path is shorter in braces than one with a parameter in its place.
          .sorted(
              Comparator.comparingLong(
                  path -> path.template().chars().filter(c -> c == '{').count()))
          .toList();

  private record Path(String template, Pattern pattern, JsonNode described) {}

  private Described() {}

  /** Every method and path, such as {@code GET /api/jobs/{id}}. */
  public static List<String> operations() {
    List<String> operations = new ArrayList<>();
    for (var path : FILE.path("paths").properties()) {
      for (String method : path.getValue().propertyNames()) {
        if (!method.equals("parameters")) {
          operations.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey());
        }
      }
    }
    return operations;
  }

  /** Fails unless the file allows this answer to this request. */
  public static void check(String method, String path, Answer answer) {
    if (path.matches("(https?://[^/]+)?/(replicate|openai)/.*")) {
      return; // These have descriptions of their own.
    }
    String where = method + " " + path + " -> " + answer.status();
    JsonNode operation = operation(method, path);
    JsonNode response =
        operation.isMissingNode()
            ? CLOSED.at("/components/responses/Problem")
            : response(operation.path("responses"), answer.status(), where);
    JsonNode content = response.path("content");
    if (content.isMissingNode()) {
      assertThat(answer.bytes()).as(where).isEmpty();
      return;
    }
    String type = answer.header("content-type").orElse("").replaceFirst(";.*", "");
    JsonNode described = content.has(type) ? content.path(type) : content.path("*/*");
    assertThat(described.isMissingNode()).as(where + " as " + type).isFalse();
    // A delivered file may be JSON as well, and nobody promised what is in it.
    if (type.endsWith("json") && content.has(type)) {
      assertThat(complaints(described.path("schema"), answer.json())).as(where).isEmpty();
    }
  }

  /** What is wrong with a value in the eyes of a schema of the file. */
  public static List<String> complaints(JsonNode schema, JsonNode value) {
    return COMPILED.computeIfAbsent(schema, Described::compile).validate(value).stream()
        .map(Object::toString)
        .distinct()
        .toList();
  }

  /** References point into the file, so the schema takes the file's components along. */
  private static Schema compile(JsonNode schema) {
    ObjectNode whole = JsonMapper.shared().createObjectNode();
    whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    whole.set("components", CLOSED.path("components"));
    whole.putArray("allOf").add(schema);
    return REGISTRY.getSchema(whole);
  }

  private static JsonNode operation(String method, String target) {
    String bare = target.replaceFirst("^https?://[^/]+", "").replaceFirst("\\?.*", "");
    String wanted = (method.equals("HEAD") ? "GET" : method).toLowerCase(Locale.ROOT);
    return PATHS.stream()
        .filter(path -> path.pattern().matcher(bare).matches())
        .findFirst()
        .map(path -> path.described().path(wanted))
        .orElseGet(() -> CLOSED.path("nowhere"));
  }

  /** Effects and objects have slashes in their names. */
  private static Pattern pattern(String template) {
    return Pattern.compile(
        template.replaceAll("\\{(slug|key)}", ".+").replaceAll("\\{[a-z_]+}", "[^/]+"));
  }

  private static JsonNode response(JsonNode responses, int status, String where) {
    JsonNode response = responses.path(Integer.toString(status));
    if (response.isMissingNode() && status >= 400) {
      response = responses.path("default");
    }
    if (response.isMissingNode()) {
      fail(where + " is not described");
    }
    return response.has("$ref")
        ? CLOSED.at(response.path("$ref").stringValue().substring(1))
        : response;
  }

  private static JsonNode closed(JsonNode node) {
    if (node instanceof ObjectNode object
        && object.path("properties").isObject()
        && !object.has("additionalProperties")) {
      object.put("additionalProperties", false);
    }
    node.values().forEach(Described::closed);
    return node;
  }
}
