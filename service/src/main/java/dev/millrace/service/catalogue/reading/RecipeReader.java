package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.AssetFile;
import dev.millrace.service.catalogue.QuotedText;
import dev.millrace.service.catalogue.Recipe;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.service.catalogue.Template;
import dev.millrace.service.json.JsonMappers;
import dev.millrace.service.names.NearestName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads a workflow's template, its output node, and the files that come along. */
final class RecipeReader {

  private static final int MOST_NODE_CHARACTERS = 64;
  private static final int MOST_ASSETS = 64;
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

  private static final Set<String> PLAIN_TYPES =
      Set.of("string", "integer", "number", "boolean", "null");

  private static final TypeReference<Map<String, Object>> PLAIN = new TypeReference<>() {};

  private RecipeReader() {}

  static Recipe read(Section section, ObjectNode schemas, List<String> required) {
    Map<String, AssetFile> assets = assets(section);
    for (String name : assets.keySet()) {
      if (schemas.has(name)) {
        section.complain("assets", "has " + name + ", which is a property too; rename one of them");
      }
    }
    @Nullable Template template = template(section);
    String node = nodeId(section, template);
    if (template != null) {
      // Also those that can't be read: that is another mistake, and told already.
      JsonNode named = section.value("assets");
      checkPlaces(
          section,
          template,
          schemas,
          required,
          named == null ? Set.of() : Set.copyOf(named.propertyNames()));
    }
    return new Recipe(template, node.isEmpty() ? null : node, assets, settings(section));
  }

  private static Map<String, Object> settings(Section section) {
    return JsonMappers.STRICT.convertValue(section.optionalMapping("settings"), PLAIN);
  }

  /** The files of a mapping from names to paths beside the YAML file. */
  static Map<String, AssetFile> assets(Section section) {
    Map<String, AssetFile> assets = new LinkedHashMap<>();
    ObjectNode mapping = section.optionalMapping("assets");
    if (mapping.size() > MOST_ASSETS) {
      section.complain("assets", "must have at most " + MOST_ASSETS + " files");
      return assets;
    }
    for (Map.Entry<String, JsonNode> entry : mapping.properties()) {
      String at = SourceFile.within(section.path("assets"), entry.getKey());
      if (!NAME.matcher(entry.getKey()).matches()) {
        section.file().report(at, "must be named by a letter, then letters, digits, _ or -");
      } else if (!entry.getValue().isString()) {
        section
            .file()
            .report(at, "must be the path of a file, not " + QuotedText.of(entry.getValue()));
      } else {
        Attachments.asset(section.file(), at, entry.getKey(), entry.getValue().stringValue())
            .ifPresent(asset -> assets.put(entry.getKey(), asset));
      }
    }
    return assets;
  }

  private static @Nullable Template template(Section section) {
    JsonNode value = section.value("template");
    if (value == null) {
      return null;
    }
    Optional<ObjectNode> graph =
        value instanceof ObjectNode inline ? Optional.of(inline) : graphFile(section, value);
    if (graph.isEmpty()) {
      return null;
    }
    Template template = new Template(graph.get());
    List<String> unclassed = template.nodesWithoutClass();
    if (graph.get().isEmpty() || !unclassed.isEmpty()) {
      section.complain(
          "template",
          "must be a graph in ComfyUI's API format (Workflow > Export (API))"
              + (unclassed.isEmpty() ? "" : ": " + unclassed.getFirst() + " has no class_type"));
      return null;
    }
    template.mistakes().forEach(mistake -> section.complain("template", "is wrong: " + mistake));
    return template;
  }

  private static Optional<ObjectNode> graphFile(Section section, JsonNode value) {
    if (!value.isString()) {
      section.complain(
          "template", "must be a graph or the path of a JSON file, not " + QuotedText.of(value));
      return Optional.empty();
    }
    return Attachments.text(section.file(), section.path("template"), value.stringValue())
        .flatMap(text -> parsed(section, text));
  }

  private static Optional<ObjectNode> parsed(Section section, String text) {
    try {
      if (JsonMappers.STRICT.readTree(text) instanceof ObjectNode object) {
        return Optional.of(object);
      }
      section.complain("template", "must hold one JSON object");
    } catch (JacksonException e) {
      section.complain("template", "is not JSON: " + e.getOriginalMessage());
    }
    return Optional.empty();
  }

  private static String nodeId(Section section, @Nullable Template template) {
    String node = section.optionalText("output_node", MOST_NODE_CHARACTERS);
    if (template == null) {
      if (!node.isEmpty() && !section.has("template")) {
        section.complain("output_node", "needs a template that has this node");
      }
    } else if (node.isEmpty()) {
      section.complain("output_node", "is missing; it names the template's node with the result");
    } else if (!template.hasNode(node)) {
      section.complain("output_node", "names \"" + node + "\", which is no node of the template");
    }
    return node;
  }

  /** Every place must get a plain value from every job that the properties allow. */
  private static void checkPlaces(
      Section section,
      Template template,
      ObjectNode schemas,
      List<String> required,
      Set<String> assets) {
    for (String place : template.places()) {
      if (assets.contains(place)) {
        continue;
      }
      JsonNode schema = schemas.path(place);
      if (schema.isMissingNode()) {
        String hint = NearestName.hint(place, schemas.propertyNames());
        section.complain(
            "template", "has {{" + place + "}}, which is neither a property nor an asset" + hint);
      } else if (!isPlain(schema)) {
        section.complain(
            "template",
            "has {{" + place + "}}, but only a text, a number, true or false can be filled in");
      } else if (!schema.has("default") && !required.contains(place)) {
        section.complain(
            "template",
            "has {{" + place + "}}, which a job may lack; give it a default or require it");
      }
    }
  }

  private static boolean isPlain(JsonNode schema) {
    JsonNode type = schema.path("type");
    return type.isArray()
        ? type.values().stream().allMatch(each -> PLAIN_TYPES.contains(each.asString("")))
        : PLAIN_TYPES.contains(type.asString(""));
  }
}
