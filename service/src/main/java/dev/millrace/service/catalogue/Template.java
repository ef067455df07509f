package dev.millrace.service.catalogue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A graph for an executor with places that a job's input fills: {@code {{prompt}}} is a text value
 * of its own, or a part of one.
 *
 * <p>The places are filled in the parsed tree, never in its text, each once, and only with plain
 * values. So whatever a user writes stays inside its own text value: it can't end a string, add or
 * link a node, or name another place. A number, a truth or null that fills a whole value keeps its
 * type.
 */
public final class Template {

  /** Names are those of properties and assets. */
  private static final Pattern PLACE =
      Pattern.compile("\\{\\{ *([A-Za-z][A-Za-z0-9_-]{0,63}) *\\}\\}");

  private final ObjectNode graph;
  private final Set<String> places;

  /** The graph is copied, and may still have mistakes: see {@link #mistakes}. */
  public Template(ObjectNode graph) {
    this.graph = graph.deepCopy();
    Set<String> found = new LinkedHashSet<>();
    walk(
        this.graph,
        "",
        (text, _) -> PLACE.matcher(text).results().forEach(r -> found.add(r.group(1))));
    this.places = Collections.unmodifiableSet(found);
  }

  /** The names of all places, in the order of the graph. */
  public Set<String> places() {
    return places;
  }

  /** Whether the graph has a node of this id. */
  public boolean hasNode(String id) {
    return graph.has(id);
  }

  /** Names of nodes whose {@code class_type} is missing: then this is no graph in API format. */
  public List<String> nodesWithoutClass() {
    return graph.properties().stream()
        .filter(node -> !node.getValue().path("class_type").isString())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** What looks like a place and is none: bad names, and places in names of fields. */
  public List<String> mistakes() {
    List<String> mistakes = new ArrayList<>();
    walk(
        graph,
        "",
        (text, at) -> {
          if (PLACE.matcher(text).replaceAll("").contains("{{")) {
            mistakes.add(at + " has {{ without a name and }}");
          }
        });
    names(graph, "", mistakes);
    return mistakes;
  }

  /**
   * A copy of the graph with every place filled.
   *
   * @param values of all places: texts, numbers, truths or null
   * @throws IllegalArgumentException if a value is missing, or is a list or an object
   */
  public ObjectNode fill(Map<String, JsonNode> values) {
    for (String place : places) {
      JsonNode value = values.get(place);
      if (value == null || value.isMissingNode() || value.isContainer()) {
        throw new IllegalArgumentException("no plain value for {{" + place + "}}");
      }
    }
    return (ObjectNode) filled(graph, values);
  }

  private static JsonNode filled(JsonNode node, Map<String, JsonNode> values) {
    return switch (node) {
      case ObjectNode object -> {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        object.properties().forEach(e -> copy.set(e.getKey(), filled(e.getValue(), values)));
        yield copy;
      }
      case ArrayNode array -> {
        ArrayNode copy = JsonNodeFactory.instance.arrayNode();
        array.values().forEach(item -> copy.add(filled(item, values)));
        yield copy;
      }
      default -> node.isString() ? filledText(node.stringValue(), values) : node.deepCopy();
    };
  }

  private static JsonNode filledText(String text, Map<String, JsonNode> values) {
    Matcher place = PLACE.matcher(text);
    if (place.matches()) {
      return value(values, place.group(1)).deepCopy();
    }
    String inserted =
        place.replaceAll(found -> Matcher.quoteReplacement(shown(value(values, found.group(1)))));
    return JsonNodeFactory.instance.stringNode(inserted);
  }

  private static JsonNode value(Map<String, JsonNode> values, String name) {
    return Objects.requireNonNull(values.get(name), name);
  }

  private static String shown(JsonNode value) {
    return value.isNull() ? "" : value.asString();
  }

  private static void walk(JsonNode node, String at, BiConsumer<String, String> texts) {
    if (node.isString()) {
      texts.accept(node.stringValue(), at);
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      walk(field.getValue(), SourceFile.within(at, field.getKey()), texts);
    }
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        walk(node.get(i), SourceFile.within(at, i), texts);
      }
    }
  }

  private static void names(JsonNode node, String at, List<String> mistakes) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String here = SourceFile.within(at, field.getKey());
      if (field.getKey().contains("{{")) {
        mistakes.add(here + " has {{ in its name, where nothing is filled in");
      }
      names(field.getValue(), here, mistakes);
    }
    if (node.isArray()) {
      node.values().forEach(item -> names(item, at, mistakes));
    }
  }
}
