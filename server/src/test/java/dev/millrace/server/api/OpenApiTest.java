package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Described;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The description is whole: nothing dangles, and what a tool needs is there. */
class OpenApiTest {

  private static final Pattern TEMPLATE_PARAMETER = Pattern.compile("\\{([a-z_]+)}");

  @Test
  void it_is_openapi_3_1_with_a_title_and_a_version() {
    assertThat(Described.FILE.path("openapi").asString()).startsWith("3.1.");
    assertThat(Described.FILE.at("/info/title").asString()).isEqualTo("Millrace");
    assertThat(Described.FILE.at("/info/version").asString()).isNotBlank();
  }

  @Test
  void every_reference_leads_somewhere() {
    List<String> references = new ArrayList<>();
    walk(
        Described.FILE,
        "",
        (node, at) -> {
          if (node.path("$ref").isString()) {
            String target = node.path("$ref").stringValue();
            references.add(target);
            assertThat(target).as(at).startsWith("#/");
            assertThat(Described.FILE.at(target.substring(1)).isMissingNode()).as(target).isFalse();
          }
        });
    assertThat(references).hasSizeGreaterThan(50);
  }

  /**
   * Generators for languages with static types make a class of what is only null, and it is missing
   * then. They take a type of two for a field that may be null.
   */
  @Test
  void what_may_be_null_has_a_type_besides() {
    List<String> wrong = new ArrayList<>();
    walk(
        Described.FILE,
        "",
        (node, at) -> {
          JsonNode type = node.path("type");
          boolean orNull = type.isArray() && type.toString().contains("\"null\"");
          boolean nullable = node.path("enum").toString().contains(",null");
          if (type.asString("").equals("null")
              || (orNull && type.size() != 2)
              || (nullable && !orNull)) {
            wrong.add(at);
          }
        });
    assertThat(wrong).isEmpty();
  }

  @Test
  void every_component_is_used() {
    Set<String> used = new HashSet<>();
    walk(Described.FILE, "", (node, _) -> used.add(node.path("$ref").asString("")));
    for (String kind : List.of("schemas", "responses", "parameters", "headers")) {
      for (String name : Described.FILE.at("/components/" + kind).propertyNames()) {
        assertThat(used).contains("#/components/" + kind + "/" + name);
      }
    }
  }

  @Test
  void every_operation_has_a_name_a_summary_a_known_tag_and_answers() {
    Set<String> names = new HashSet<>();
    List<String> tags =
        Described.FILE.path("tags").values().stream().map(t -> t.path("name").asString()).toList();
    for (String operation : Described.operations()) {
      JsonNode node = node(operation);
      assertThat(names.add(node.path("operationId").asString(""))).as(operation).isTrue();
      assertThat(node.path("summary").asString("")).as(operation).isNotBlank();
      assertThat(node.path("tags").values()).as(operation).isNotEmpty();
      node.path("tags").forEach(tag -> assertThat(tags).contains(tag.asString()));
      assertThat(node.path("responses").propertyNames()).as(operation).isNotEmpty();
      node.path("responses")
          .forEach(response ->
              assertThat(resolved(response).path("description").asString("")).isNotBlank());
    }
  }

  @Test
  void everything_under_api_needs_a_key_and_nothing_else_does() {
    for (String operation : Described.operations()) {
      JsonNode security = node(operation).path("security");
      boolean free =
          security.isArray()
              && (security.isEmpty() || security.valueStream().anyMatch(JsonNode::isEmpty));
      assertThat(free).as(operation).isEqualTo(!operation.contains("/api/"));
    }
    assertThat(Described.FILE.at("/security/0").has("key")).isTrue();
    assertThat(Described.FILE.at("/components/securitySchemes/key/scheme").asString())
        .isEqualTo("bearer");
  }

  @Test
  void every_parameter_of_a_path_is_described_and_each_has_a_schema() {
    for (String operation : Described.operations()) {
      List<JsonNode> parameters = new ArrayList<>();
      JsonNode path = Described.FILE.path("paths").path(operation.split(" ", -1)[1]);
      path.path("parameters").forEach(parameter -> parameters.add(resolved(parameter)));
      node(operation).path("parameters").forEach(parameter -> parameters.add(resolved(parameter)));

      List<String> inPath = new ArrayList<>();
      for (JsonNode parameter : parameters) {
        assertThat(parameter.has("schema")).as(operation + parameter).isTrue();
        assertThat(parameter.path("in").asString()).isIn("path", "query", "header");
        if (parameter.path("in").asString().equals("path")) {
          assertThat(parameter.path("required").asBoolean()).as(operation).isTrue();
          inPath.add(parameter.path("name").asString());
        }
      }
      assertThat(inPath)
          .as(operation)
          .containsExactlyElementsOf(
              TEMPLATE_PARAMETER
                  .matcher(operation)
                  .results()
                  .map(found -> found.group(1))
                  .toList());
    }
  }

  @Test
  void every_required_field_is_described() {
    walk(
        Described.FILE,
        "",
        (node, at) -> {
          if (node.path("properties").isObject() && node.path("required").isArray()) {
            node.path("required")
                .forEach(name ->
                    assertThat(node.path("properties").has(name.asString()))
                        .as(at + "/" + name)
                        .isTrue());
          }
        });
  }

  @Test
  void every_example_fits_its_schema() {
    List<String> examples = new ArrayList<>();
    walk(
        Described.FILE,
        "",
        (node, at) -> {
          if (node.path("examples").isArray()) {
            for (JsonNode example : node.path("examples")) {
              examples.add(at);
              assertThat(Described.complaints(node, example)).as(at).isEmpty();
            }
          }
          if (node.has("example") && node.path("schema").isObject()) {
            examples.add(at);
            assertThat(Described.complaints(node.path("schema"), node.path("example")))
                .as(at)
                .isEmpty();
          }
        });
    assertThat(examples).hasSizeGreaterThan(10);
  }

  @Test
  void a_field_that_is_missing_or_not_described_is_noticed() {
    JsonNode wallet = Described.FILE.at("/components/schemas/Wallet");
    JsonNode good = wallet.at("/examples/0");
    var more = good.deepCopy().asObject().put("colour", "red");
    var less = good.deepCopy().asObject();
    less.remove("reserved");

    JsonNode reference =
        Described.FILE.at(
            "/paths/~1api~1wallet/get/responses/200/content/application~1json/schema");
    assertThat(Described.complaints(reference, good)).isEmpty();
    assertThat(Described.complaints(reference, more)).hasSize(1);
    assertThat(Described.complaints(reference, less)).hasSize(1);
  }

  private static JsonNode node(String operation) {
    String[] methodAndPath = operation.split(" ", -1);
    return Described.FILE
        .path("paths")
        .path(methodAndPath[1])
        .path(methodAndPath[0].toLowerCase(java.util.Locale.ROOT));
  }

  private static JsonNode resolved(JsonNode node) {
    return node.has("$ref")
        ? Described.FILE.at(node.path("$ref").stringValue().substring(1))
        : node;
  }

  private static void walk(JsonNode node, String at, BiConsumer<JsonNode, String> visitor) {
    if (node.isObject()) {
      visitor.accept(node, at);
      node.properties()
          .forEach(entry -> walk(entry.getValue(), at + "/" + entry.getKey(), visitor));
    } else if (node.isArray()) {
      node.forEach(element -> walk(element, at + "/-", visitor));
    }
  }
}
