package dev.millrace.service.catalogue;

import com.networknt.schema.Schema;
import dev.millrace.service.catalogue.Resolution.InputError;
import dev.millrace.service.catalogue.Resolution.Invalid;
import dev.millrace.service.catalogue.Resolution.Resolved;
import dev.millrace.service.names.NearestName;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What an effect takes from its user, and how that becomes a job's input. */
public final class EffectInput {

  private static final String ROOT = "/input";

  private final Properties properties;
  private final ObjectNode preset;
  private final ObjectNode fixed;
  private final ObjectNode schema;
  private final Schema compiled;

  /** All values must have been checked against their properties. */
  public EffectInput(Effect.Heading heading, Properties properties, Preset values) {
    this.properties = properties;
    preset = JsonNodeFactory.instance.objectNode();
    for (String name : properties.names()) {
      properties.defaultOf(name).ifPresent(value -> preset.set(name, value));
    }
    preset.setAll(values.overrides());
    preset.properties().forEach(entry -> entry.setValue(settled(entry.getKey(), preset)));
    fixed = values.fixed().deepCopy();
    fixed.properties().forEach(entry -> entry.setValue(settled(entry.getKey(), fixed)));
    schema = schema(heading);
    compiled = SchemaChecks.compile(schema.deepCopy());
  }

  ObjectNode schema() {
    return schema.deepCopy();
  }

  Resolution resolve(JsonNode userInput) {
    List<InputViolation> violations = SchemaChecks.violations(compiled, userInput);
    if (!violations.isEmpty()) {
      return new Invalid(violations.stream().map(this::error).toList());
    }
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    for (String name : properties.names()) {
      Stream.of(fixed, userInput, preset)
          .filter(source -> source.has(name))
          .findFirst()
          .ifPresent(source -> input.set(name, settled(name, source)));
    }
    return new Resolved(input);
  }

  private ObjectNode schema(Effect.Heading heading) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("$schema", SchemaChecks.DIALECT);
    object.put("type", "object");
    object.put("title", heading.title());
    if (!heading.description().isEmpty()) {
      object.put("description", heading.description());
    }
    ObjectNode offered = object.putObject("properties");
    for (var property : properties.schemas().properties()) {
      String name = property.getKey();
      if (!fixed.has(name) && property.getValue() instanceof ObjectNode shown) {
        if (preset.has(name)) {
          shown.set("default", settled(name, preset));
        }
        offered.set(name, shown);
      }
    }
    ArrayNode required = object.putArray("required");
    properties.required().stream()
        .filter(name -> !preset.has(name) && !fixed.has(name))
        .forEach(required::add);
    object.put("additionalProperties", false);
    return object;
  }

  private InputError error(InputViolation violation) {
    String pointer = violation.pointerUnder(ROOT);
    if (violation.kind() == InputViolation.Kind.UNKNOWN_NAME && violation.steps().size() == 1) {
      String name = violation.steps().getFirst().toString();
      return new InputError(
          pointer,
          fixed.has(name)
              ? "is fixed by this effect and can't be changed"
              : "is not an input of this effect"
                  + NearestName.hint(name, schema.path("properties").propertyNames()));
    }
    return new InputError(pointer, violation.complaint());
  }

  /**
   * A copy of a value as executors get it. JSON Schema counts 2.0 as an integer; executors are
   * spared that subtlety.
   */
  private JsonNode settled(String name, JsonNode values) {
    JsonNode value = values.path(name);
    if (!value.isFloatingPointNumber() || !properties.isInteger(name)) {
      return value.deepCopy();
    }
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (value.canConvertToInt()) {
      return nodes.numberNode(value.asInt());
    }
    return nodes.numberNode(value.decimalValue().toBigIntegerExact());
  }
}
