package dev.millrace.web.dialect.openai;

import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.catalogue.FileRule;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Makes the fields of a native request out of what a client of OpenAI sends for an effect. */
final class EffectInput {

  private static final Pattern SIZE = Pattern.compile("([0-9]{1,5})x([0-9]{1,5})");

  private final JsonNode properties;
  private final ObjectNode fields = JsonMapper.shared().createObjectNode();
  private final ObjectNode input;

  EffectInput(Effect effect) {
    this.properties = effect.inputSchema().path("properties");
    this.input = fields.put("effect", effect.slug()).putObject("input");
  }

  ObjectNode fields() {
    return fields;
  }

  boolean takes(String name) {
    return properties.has(name);
  }

  void put(String name, JsonNode value) {
    input.set(name, value);
  }

  /** Puts it under the first of these names that the effect has; the last is where it is missed. */
  void putFirst(List<String> names, JsonNode value) {
    put(names.stream().filter(this::takes).findFirst().orElse(names.getFirst()), value);
  }

  /**
   * Passes on what the effect takes by its own name. What is neither taken nor one of those that
   * may be left out is refused, as OpenAI does.
   */
  void rest(ObjectNode body, Set<String> done, Set<String> ignored) {
    for (String name : body.propertyNames()) {
      JsonNode value = body.path(name);
      if (done.contains(name) || value.isNull()) {
        continue;
      }
      if (takes(name)) {
        put(name, value);
      } else if (!ignored.contains(name)) {
        throw ProblemException.invalid(
            "/" + Params.pointer(name), "is not a parameter of this model");
      }
    }
  }

  /** Who pays, and what is kept with the job. */
  void owner(ObjectNode body) {
    if (body.path("user").isString()) {
      fields.set("user", body.path("user"));
    }
    if (body.path("metadata").isObject()) {
      fields.set("metadata", body.path("metadata"));
    }
  }

  /** What the job belongs to, by which it is found in the lists of this dialect. */
  void related(String kind) {
    fields.putObject("related").put("type", "openai").put("id", kind);
  }

  void count(ObjectNode body) {
    JsonNode n = body.path("n");
    if (n.isMissingNode() || n.isNull()) {
      return;
    }
    if (!n.isIntegralNumber() || n.asLong(0) < 1) {
      throw ProblemException.invalid("/n", "must be a whole number from 1 on");
    }
    if (takes("variants")) {
      put("variants", n);
    } else if (n.asLong(0) != 1) {
      throw ProblemException.invalid("/n", "must be 1 for this model");
    }
  }

  void size(ObjectNode body) {
    String size = body.path("size").asString("auto");
    Matcher pixels = SIZE.matcher(size);
    if (takes("size")) {
      put("size", body.path("size"));
    } else if (pixels.matches() && takes("width") && takes("height")) {
      input.put("width", Integer.parseInt(pixels.group(1)));
      input.put("height", Integer.parseInt(pixels.group(2)));
    } else if (!size.equals("auto")) {
      throw ProblemException.invalid("/size", "is not one of this model, which has its own");
    }
  }

  /** A text of a form as the value that the effect's schema wants. */
  JsonNode value(String name, String text) {
    JsonNode types = properties.path(name).path("type");
    boolean number = name.equals("n") || List.of("integer", "number").contains(types.asString(""));
    if (number && text.matches("-?[0-9]{1,9}(\\.[0-9]{1,9})?")) {
      return JsonMapper.shared().readTree(text);
    }
    if ((types.asString("").equals("boolean") || name.equals("stream"))
        && List.of("true", "false").contains(text)) {
      return JsonMapper.shared().readTree(text);
    }
    return JsonMapper.shared().getNodeFactory().stringNode(text);
  }

  /** The property that takes a file of this name, or any file if there is only one that does. */
  Optional<String> fileProperty(String name) {
    List<String> files =
        properties.properties().stream()
            .filter(property -> property.getValue().has(FileRule.KEYWORD))
            .map(Map.Entry::getKey)
            .toList();
    if (files.contains(name)) {
      return Optional.of(name);
    }
    return files.size() == 1 && !name.equals("mask")
        ? Optional.of(files.getFirst())
        : Optional.empty();
  }
}
