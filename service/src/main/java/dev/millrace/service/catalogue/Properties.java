package dev.millrace.service.catalogue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The properties of a workflow's input, in the order in which a form should show them.
 *
 * @param schemas property name to its JSON Schema; a schema's {@code default} is the workflow's
 * @param required names that a job's resolved input must have
 */
public record Properties(ObjectNode schemas, List<String> required) {

  public Properties {
    schemas = schemas.deepCopy();
    required = List.copyOf(required);
  }

  /** A copy, because nodes are mutable and a snapshot is not. */
  @Override
  public ObjectNode schemas() {
    return schemas.deepCopy();
  }

  /** In the order of the file. */
  public List<String> names() {
    return List.copyOf(schemas.propertyNames());
  }

  Optional<JsonNode> defaultOf(String name) {
    return schemas.path(name).optional("default").map(JsonNode::deepCopy);
  }

  /** The properties that are files, with what each takes, in the order of the file. */
  public Map<String, FileRule> files() {
    Map<String, FileRule> files = new LinkedHashMap<>();
    schemas
        .properties()
        .forEach(entry ->
            FileRule.of(entry.getValue()).ifPresent(rule -> files.put(entry.getKey(), rule)));
    return files;
  }

  public boolean isInteger(String name) {
    return schemas.path(name).path("type").asString("").equals("integer");
  }
}
