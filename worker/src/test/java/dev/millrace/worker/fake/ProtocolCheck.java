package dev.millrace.worker.fake;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import dev.millrace.testkit.net.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Holds what the double answers, and what the worker sends, against the description of the real
 * server: an answer that the real one never gives would prove nothing.
 */
final class ProtocolCheck {

  private static final String FILE = "web/src/main/resources/openapi.yaml";

  /** Tests can't wait for whole seconds, so these may be fractions here. */
  private static final List<String> SHORTENED = List.of("lease_seconds", "heartbeat_seconds");

  /** Parts may be smaller here than any store takes them. */
  private static final int SMALLEST_PART = 5 * 1024 * 1024;

  private static final JsonNode DESCRIBED = read();
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

  private static final Map<String, Schema> COMPILED = new ConcurrentHashMap<>();

  private ProtocolCheck() {}

  /** What is wrong with a request of a worker. One that was broken off has no body. */
  static List<String> request(String path, JsonNode body) {
    if (body.isMissingNode()) {
      return List.of();
    }
    JsonNode content = operation(path).path("requestBody").path("content");
    JsonNode schema = content.path("application/json").path("schema");
    return schema.isMissingNode() ? List.of() : complaints("-> " + path, schema, enlarged(body));
  }

  /** What is wrong with an answer to it. */
  static List<String> answer(String path, Reply.Full reply) {
    String where = path + " " + reply.status();
    JsonNode response = response(operation(path).path("responses"), reply.status());
    if (response.isMissingNode()) {
      return List.of(where + " is not described");
    }
    JsonNode content = response.path("content");
    if (content.isMissingNode()) {
      return reply.body().bytes().length == 0 ? List.of() : List.of(where + " has no body");
    }
    String type = reply.headers().getOrDefault("Content-Type", "").replaceFirst(";.*", "");
    if (!content.has(type)) {
      return List.of(where + " is not " + type);
    }
    JsonNode body = Reply.JSON.readTree(reply.body().bytes());
    List<String> wrong =
        new ArrayList<>(complaints(where, content.path(type).path("schema"), enlarged(body)));
    String code = body.path("code").asString("");
    if (!code.isEmpty() && !response.path("description").asString("").contains("`" + code + "`")) {
      wrong.add(where + " never has the code " + code);
    }
    return wrong;
  }

  private static JsonNode operation(String path) {
    return DESCRIBED.path("paths").path(path).path("post");
  }

  private static JsonNode response(JsonNode responses, int status) {
    JsonNode response = responses.path(Integer.toString(status));
    if (response.isMissingNode() && status >= 400) {
      response = responses.path("default");
    }
    return response.has("$ref")
        ? DESCRIBED.at(response.path("$ref").asString("").substring(1))
        : response;
  }

  private static List<String> complaints(String where, JsonNode schema, JsonNode value) {
    return COMPILED.computeIfAbsent(where, _ -> compile(schema)).validate(value).stream()
        .map(error -> where + ": " + error)
        .toList();
  }

  /** References point into the file, so the schema takes the file's components along. */
  private static Schema compile(JsonNode schema) {
    ObjectNode whole = Reply.JSON.createObjectNode();
    whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    whole.set("components", DESCRIBED.path("components"));
    whole.putArray("allOf").add(schema);
    return REGISTRY.getSchema(whole);
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

  /** The file is below the root of the repository, and tests run in the folder of their module. */
  private static JsonNode read() {
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
}
