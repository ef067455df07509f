package dev.millrace.testkit.openapi;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Holds requests and answers against the OpenAPI file. */
public final class OpenApiCheck {

  private static final String FILE = "web/src/main/resources/openapi.yaml";

  private final JsonNode api;
  private final SchemaRegistry registry;
  private final Map<JsonNode, Schema> compiled = new ConcurrentHashMap<>();

  /**
   * Checks against a description.
   *
   * @param api the file as it is, or with what a double may do otherwise
   * @param formats whether an id has to look like one
   */
  public OpenApiCheck(JsonNode api, boolean formats) {
    this.api = api;
    this.registry =
        SchemaRegistry.withDialect(
            Dialects.getDraft202012(),
            builder ->
                builder
                    .schemaRegistryConfig(
                        SchemaRegistryConfig.builder()
                            .locale(Locale.ROOT)
                            .formatAssertionsEnabled(formats)
                            .build())
                    .schemaLoader(loader -> loader.block(_ -> true)));
  }

  /** The file. It is below the root of the repository, and tests run in their module's folder. */
  public static JsonNode described() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve(FILE))) {
      Path above = root.getParent();
      if (above == null) {
        throw new IllegalStateException("there is no " + FILE + " above this folder");
      }
      root = above;
    }
    try (InputStream in = Files.newInputStream(root.resolve(FILE))) {
      return YAMLMapper.shared().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is wrong with the JSON body of a request. */
  public List<String> request(String method, String path, JsonNode body) {
    JsonNode content = operation(method, path).path("requestBody").path("content");
    JsonNode schema = content.path("application/json").path("schema");
    return schema.isMissingNode() ? List.of() : complaints("-> " + path, schema, body);
  }

  /**
   * What is wrong with an answer to a request.
   *
   * @param type the media type of the body
   * @param body missing if it has none
   */
  public List<String> answer(String method, String path, int status, String type, JsonNode body) {
    String where = method + " " + path + " " + status;
    JsonNode response = response(operation(method, path).path("responses"), status);
    if (response.isMissingNode()) {
      return List.of(where + " is not described");
    }
    JsonNode content = response.path("content");
    if (content.isMissingNode()) {
      return body.isMissingNode() ? List.of() : List.of(where + " is described without a body");
    }
    if (body.isMissingNode()) {
      return List.of(where + " is described with a body");
    }
    String essence = type.replaceFirst(";.*", "");
    if (!content.has(essence)) {
      return List.of(where + " is not " + essence);
    }
    List<String> wrong =
        new ArrayList<>(complaints(where, content.path(essence).path("schema"), body));
    String code = status < 400 ? "" : body.path("code").asString("");
    if (!code.isEmpty() && !response.path("description").asString("").contains("`" + code + "`")) {
      wrong.add(where + " never has the code " + code);
    }
    return wrong;
  }

  /** What is wrong with a value in the eyes of a schema of the file. */
  public List<String> complaints(JsonNode schema, JsonNode value) {
    return compiled.computeIfAbsent(schema, this::compile).validate(value).stream()
        .map(Object::toString)
        .distinct()
        .toList();
  }

  private List<String> complaints(String where, JsonNode schema, JsonNode value) {
    return complaints(schema, value).stream().map(wrong -> where + ": " + wrong).toList();
  }

  private JsonNode operation(String method, String path) {
    return api.path("paths").properties().stream()
        .filter(each -> path.matches(pattern(each.getKey())))
        // A literal path has fewer braces than one with a parameter in its place.
        .min(Comparator.comparingLong(each -> each.getKey().chars().filter(c -> c == '{').count()))
        .map(each -> each.getValue().path(method.toLowerCase(Locale.ROOT)))
        .orElseGet(() -> api.path("nowhere"));
  }

  /** Effects have slashes in their names. */
  private static String pattern(String template) {
    return template.replaceAll("\\{slug}", ".+").replaceAll("\\{[a-z_]+}", "[^/]+");
  }

  private JsonNode response(JsonNode responses, int status) {
    JsonNode response = responses.path(Integer.toString(status));
    if (response.isMissingNode() && status >= 400) {
      response = responses.path("default");
    }
    return response.has("$ref")
        ? api.at(response.path("$ref").stringValue().substring(1))
        : response;
  }

  /** References point into the file, so the schema takes the file's components along. */
  private Schema compile(JsonNode schema) {
    ObjectNode whole = JsonMapper.shared().createObjectNode();
    whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    whole.set("components", api.path("components"));
    whole.putArray("allOf").add(schema);
    return registry.getSchema(whole);
  }
}
