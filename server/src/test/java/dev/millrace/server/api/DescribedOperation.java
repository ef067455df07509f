package dev.millrace.server.api;

import dev.millrace.server.rig.Described;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One operation of the OpenAPI file.
 *
 * @param name such as {@code GET /api/jobs/{id}}
 * @param body the schema of its JSON body; missing if it takes none
 */
record DescribedOperation(String name, List<JsonNode> parameters, JsonNode body) {

  private static final int DEEPEST = 4;

  static List<DescribedOperation> all() {
    return Described.operations().stream().map(DescribedOperation::of).toList();
  }

  private static DescribedOperation of(String name) {
    String[] methodAndPath = name.split(" ", 2);
    JsonNode path = Described.FILE.path("paths").path(methodAndPath[1]);
    JsonNode operation = path.path(methodAndPath[0].toLowerCase(java.util.Locale.ROOT));
    List<JsonNode> parameters = new ArrayList<>();
    path.path("parameters").values().forEach(each -> parameters.add(resolved(each)));
    operation.path("parameters").values().forEach(each -> parameters.add(resolved(each)));
    return new DescribedOperation(
        name,
        parameters,
        resolved(operation.at("/requestBody/content/application~1json/schema")).deepCopy());
  }

  static JsonNode resolved(JsonNode node) {
    return node.has("$ref")
        ? Described.FILE.at(node.path("$ref").stringValue().substring(1))
        : node;
  }

  String method() {
    return name.substring(0, name.indexOf(' '));
  }

  boolean takesABody() {
    return body.isObject();
  }

  boolean takesAnything() {
    return takesABody() || !parameters.isEmpty();
  }

  /** The same with a closer description of one of its body's fields. */
  DescribedOperation with(String field, JsonNode schema) {
    ObjectNode closer = (ObjectNode) body.deepCopy();
    ((ObjectNode) closer.path("properties")).set(field, schema);
    return new DescribedOperation(name, parameters, closer);
  }

  /** The target of a request with these values, which are sent as they are. */
  String target(Map<String, String> values) {
    String path = name.substring(name.indexOf(' ') + 1);
    StringBuilder query = new StringBuilder();
    for (JsonNode parameter : parameters) {
      String field = parameter.path("name").stringValue();
      String value = values.get(field);
      if (parameter.path("in").stringValue().equals("path")) {
        path = path.replace("{" + field + "}", String.valueOf(value));
      } else if (parameter.path("in").stringValue().equals("query") && value != null) {
        query.append(query.isEmpty() ? '?' : '&').append(field).append('=').append(value);
      }
    }
    return path + query;
  }

  List<JsonNode> parameters(String... places) {
    return parameters.stream()
        .filter(parameter -> List.of(places).contains(parameter.path("in").stringValue()))
        .toList();
  }

  /** Every field of the body, as a JSON pointer; {@code 0} stands for the elements of a list. */
  List<String> fields() {
    List<String> fields = new ArrayList<>();
    collect(body, "", 1, fields);
    return fields;
  }

  private static void collect(JsonNode schema, String at, int depth, List<String> fields) {
    if (depth > DEEPEST) {
      return;
    }
    for (var property : schema.path("properties").properties()) {
      String field = at + "/" + property.getKey();
      fields.add(field);
      collect(resolved(property.getValue()), field, depth + 1, fields);
    }
    if (schema.path("items").isObject()) {
      fields.add(at + "/0");
      collect(resolved(schema.path("items")), at + "/0", depth + 1, fields);
    }
  }

  /** Every field that may not be missing, as a JSON pointer. */
  List<String> required() {
    return body.path("required").values().stream().map(name -> "/" + name.stringValue()).toList();
  }
}
