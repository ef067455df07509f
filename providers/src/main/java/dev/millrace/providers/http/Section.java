package dev.millrace.providers.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A part of the file while it is read. Whatever is wrong is noted with its place, and something
 * harmless is taken instead, so that one reading finds all mistakes.
 */
final class Section {

  private final String path;
  private final JsonNode node;
  private final List<String> mistakes;
  private final Set<String> known = new TreeSet<>();

  Section(String path, JsonNode node, List<String> mistakes) {
    this.path = path;
    this.node = node;
    this.mistakes = mistakes;
  }

  void complain(String key, String law) {
    mistakes.add(place(key) + " " + law);
  }

  String place(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private JsonNode get(String key) {
    known.add(key);
    return node.path(key);
  }

  boolean has(String key) {
    return !get(key).isMissingNode();
  }

  Section section(String key) {
    JsonNode inner = get(key);
    if (!inner.isMissingNode() && !inner.isObject()) {
      complain(key, "must be a mapping");
    }
    JsonNode read = inner.isObject() ? inner : JsonNodeFactory.instance.objectNode();
    return new Section(place(key), read, mistakes);
  }

  Optional<String> optional(String key) {
    JsonNode value = get(key);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isString() || value.stringValue().isBlank()) {
      complain(key, "must be text");
      return Optional.empty();
    }
    return Optional.of(value.stringValue());
  }

  String text(String key) {
    if (!has(key)) {
      complain(key, "is missing");
    }
    return optional(key).orElse("");
  }

  String text(String key, Pattern pattern, String law) {
    String text = text(key);
    if (!text.isEmpty() && !pattern.matcher(text).matches()) {
      complain(key, law);
    }
    return text;
  }

  String oneOf(String key, List<String> choices, String otherwise) {
    String text = optional(key).orElse(otherwise);
    if (!choices.contains(text)) {
      complain(key, "must be one of " + String.join(", ", choices));
      return choices.getFirst();
    }
    return text;
  }

  int whole(String key, int least, int most, int otherwise) {
    JsonNode value = get(key);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isInt() || value.intValue() < least || value.intValue() > most) {
      complain(key, "must be a whole number from " + least + " to " + most);
      return otherwise;
    }
    return value.intValue();
  }

  Optional<JsonPointer> optionalPointer(String key) {
    return optional(key)
        .map(text -> {
          // An empty pointer would mean the whole reply; "/" is how people write that.
          if (text.equals("/")) {
            return JsonPointer.empty();
          }
          try {
            return JsonPointer.compile(text);
          } catch (IllegalArgumentException e) {
            complain(key, "must be a JSON pointer such as /data/0/id, or / for everything");
            return JsonPointer.empty();
          }
        });
  }

  JsonPointer pointer(String key) {
    if (!has(key)) {
      complain(key, "is missing");
    }
    return optionalPointer(key).orElse(JsonPointer.empty());
  }

  List<String> texts(String key) {
    JsonNode list = get(key);
    List<String> texts = new ArrayList<>();
    if (list.isMissingNode()) {
      return texts;
    }
    if (!list.isArray()) {
      complain(key, "must be a list");
    }
    for (JsonNode item : list.values()) {
      if (item.isValueNode() && !item.isNull()) {
        texts.add(item.asString());
      } else {
        complain(key, "must be a list of plain values");
      }
    }
    return texts;
  }

  Map<String, Template> headers(String key, Set<String> names) {
    Map<String, Template> headers = new LinkedHashMap<>();
    JsonNode given = get(key);
    if (!given.isMissingNode() && !given.isObject()) {
      complain(key, "must be a mapping of names and values");
    }
    for (Map.Entry<String, JsonNode> header : given.properties()) {
      String at = key + "." + header.getKey();
      if (!header.getKey().matches("[A-Za-z0-9-]{1,64}")) {
        complain(at, "is not the name of a header");
      } else if (!header.getValue().isString()) {
        complain(at, "must be text");
      } else {
        headers.put(header.getKey(), template(at, header.getValue().stringValue(), names));
      }
    }
    return headers;
  }

  /** A template whose placeholders are all known here. */
  Template template(String key, String text, Set<String> names) {
    Template template = Template.of(text);
    for (String name : template.names()) {
      String root = name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
      boolean needsMore = root.equals("secret") && root.equals(name);
      if (!names.contains(root) || needsMore || name.endsWith(".") || name.contains("..")) {
        complain(
            key, "has the placeholder ${" + name + "}; known here are " + new TreeSet<>(names));
      }
    }
    return template;
  }

  /** A body whose texts may have placeholders. */
  JsonNode body(String key, Set<String> names) {
    JsonNode body = get(key);
    check(key, body, names);
    return body;
  }

  private void check(String at, JsonNode body, Set<String> names) {
    if (body.isString()) {
      template(at, body.stringValue(), names);
    }
    for (Map.Entry<String, JsonNode> property : body.properties()) {
      check(at + "." + property.getKey(), property.getValue(), names);
    }
    if (body.isArray()) {
      for (int i = 0; i < body.size(); i++) {
        check(at + "[" + i + "]", body.path(i), names);
      }
    }
  }

  /** Names what nobody asked for: usually a word that is misspelt. */
  void close() {
    for (String key : node.propertyNames()) {
      if (!known.contains(key)) {
        complain(key, "is not known here; known are " + known);
      }
    }
  }
}
