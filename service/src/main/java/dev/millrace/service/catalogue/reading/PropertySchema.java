package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.InputViolation;
import dev.millrace.service.catalogue.QuotedText;
import dev.millrace.service.catalogue.SchemaChecks;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.service.names.NearestName;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks that a property's JSON Schema is one, stands on its own, and accepts its own default.
 *
 * <p>JSON Schema lets any unknown keyword pass, so {@code minLenght} would silently check nothing.
 * Here it is a mistake like any other; only keywords that begin with {@code x-} are free.
 * References are refused because a property is shown and checked alone, and nothing is ever
 * fetched.
 */
final class PropertySchema {

  private static final Set<String> TYPES =
      Set.of("string", "integer", "number", "boolean", "array", "object", "null");

  /** Keywords whose value is a schema, a list of schemas, or schemas by name. */
  private static final Set<String> NESTING =
      Set.of(
          "items",
          "contains",
          "additionalProperties",
          "propertyNames",
          "unevaluatedItems",
          "unevaluatedProperties",
          "if",
          "then",
          "else",
          "not",
          "allOf",
          "anyOf",
          "oneOf",
          "prefixItems");

  private static final Set<String> NAMED =
      Set.of("properties", "patternProperties", "dependentSchemas");

  private static final Set<String> PLAIN =
      Set.of(
          "type",
          "enum",
          "const",
          "multipleOf",
          "maximum",
          "exclusiveMaximum",
          "minimum",
          "exclusiveMinimum",
          "maxLength",
          "minLength",
          "pattern",
          "maxItems",
          "minItems",
          "uniqueItems",
          "maxContains",
          "minContains",
          "maxProperties",
          "minProperties",
          "required",
          "dependentRequired",
          "title",
          "description",
          "default",
          "deprecated",
          "readOnly",
          "writeOnly",
          "examples",
          "format",
          "contentEncoding",
          "contentMediaType",
          "$comment");

  private static final Set<String> POINTING =
      Set.of("$ref", "$dynamicRef", "$id", "$anchor", "$dynamicAnchor", "$schema", "$defs");

  private final SourceFile file;
  private final String path;
  private boolean good = true;

  PropertySchema(SourceFile file, String path) {
    this.file = file;
    this.path = path;
  }

  boolean isGood(JsonNode schema) {
    if (!(schema instanceof ObjectNode mapping)) {
      complain(path, "must be a mapping (a JSON Schema), not " + QuotedText.of(schema));
      return false;
    }
    keywords(path, mapping);
    if (good) {
      for (InputViolation violation : SchemaChecks.ofSchema(mapping)) {
        complain(violation.under(path), violation.complaint());
      }
    }
    if (good && mapping.has("default")) {
      String at = SourceFile.within(path, "default");
      for (InputViolation violation : SchemaChecks.ofValue(mapping, mapping.get("default"))) {
        file.report(violation.under(at), violation.complaint());
      }
    }
    return good;
  }

  private void keywords(String at, ObjectNode schema) {
    for (var entry : schema.properties()) {
      String keyword = entry.getKey();
      JsonNode value = entry.getValue();
      String here = SourceFile.within(at, keyword);
      if (NESTING.contains(keyword)) {
        nested(here, value);
      } else if (NAMED.contains(keyword)) {
        value.properties().forEach(e -> nested(SourceFile.within(here, e.getKey()), e.getValue()));
      } else if (POINTING.contains(keyword)) {
        complain(here, "can't be used; a property's schema stands on its own");
      } else if (PLAIN.contains(keyword)) {
        plain(here, keyword, value);
      } else if (!keyword.startsWith("x-")) {
        complain(here, "is not a JSON Schema keyword" + hint(keyword));
      }
    }
  }

  private void nested(String at, JsonNode value) {
    if (value instanceof ObjectNode schema) {
      keywords(at, schema);
    } else if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        nested(SourceFile.within(at, i), value.get(i));
      }
    }
  }

  private void plain(String at, String keyword, JsonNode value) {
    if (keyword.equals("type") && value.isString() && !TYPES.contains(value.asString())) {
      complain(at, "must be a JSON type, not " + QuotedText.of(value) + typeHint(value.asString()));
    }
    if (keyword.equals("enum") && value.isArray() && value.isEmpty()) {
      complain(at, "must list at least one value");
    }
  }

  private static String typeHint(String given) {
    String near = NearestName.hint(given, TYPES);
    return near.isEmpty() ? "; use " + String.join(", ", TYPES.stream().sorted().toList()) : near;
  }

  private static String hint(String keyword) {
    return NearestName.of(keyword, NESTING)
        .or(() -> NearestName.of(keyword, NAMED))
        .or(() -> NearestName.of(keyword, PLAIN))
        .map(name -> "; did you mean " + name + "?")
        .orElse("; a keyword of your own must begin with x-");
  }

  private void complain(String at, String complaint) {
    good = false;
    file.report(at, complaint);
  }
}
