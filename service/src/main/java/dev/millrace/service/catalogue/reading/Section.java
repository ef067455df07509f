package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.QuotedText;
import dev.millrace.service.catalogue.SourceFile;
import dev.millrace.service.names.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One mapping of a file, read key by key.
 *
 * <p>Each read says what the key must be, reports to the file if it isn't, and then answers with a
 * harmless stand-in, so that reading goes on and finds the other mistakes too. Nothing is built
 * from a file with a problem, so a stand-in is never seen outside. {@link #close} reports every key
 * that nobody asked for.
 */
public final class Section {

  private final SourceFile file;
  private final String path;
  private final ObjectNode node;
  private final Set<String> known = new LinkedHashSet<>();

  public Section(SourceFile file, String path, ObjectNode node) {
    this.file = file;
    this.path = path;
    this.node = node;
  }

  public SourceFile file() {
    return file;
  }

  String path() {
    return path;
  }

  public String path(String key) {
    return SourceFile.within(path, key);
  }

  boolean has(String key) {
    known.add(key);
    return node.has(key);
  }

  /** A text that must be there. */
  String text(String key, int mostCharacters) {
    JsonNode value = required(key);
    return value == null ? "" : textOf(key, value, mostCharacters);
  }

  /** A text that may be left out, and is then empty. */
  String optionalText(String key, int mostCharacters) {
    JsonNode value = optional(key);
    return value == null ? "" : textOf(key, value, mostCharacters);
  }

  /** A text that must be there and have a form; empty if it hasn't. */
  public String text(String key, int mostCharacters, Pattern form, String formInWords) {
    return formed(key, text(key, mostCharacters), form, formInWords);
  }

  /** A text that may be left out and must have a form; empty if it isn't there or hasn't. */
  String optionalText(String key, int mostCharacters, Pattern form, String formInWords) {
    return formed(key, optionalText(key, mostCharacters), form, formInWords);
  }

  private String formed(String key, String text, Pattern form, String formInWords) {
    if (text.isEmpty() || form.matcher(text).matches()) {
      return text;
    }
    complain(key, "must be " + formInWords + ", not " + QuotedText.of(node.get(key)));
    return "";
  }

  long whole(String key, long least, long most) {
    JsonNode value = required(key);
    return value == null ? least : wholeOf(key, value, least, most);
  }

  public long whole(String key, long least, long most, long ifAbsent) {
    JsonNode value = optional(key);
    return value == null ? ifAbsent : wholeOf(key, value, least, most);
  }

  boolean flag(String key, boolean ifAbsent) {
    JsonNode value = optional(key);
    if (value == null) {
      return ifAbsent;
    }
    if (!value.isBoolean()) {
      complain(key, "must be true or false, not " + QuotedText.of(value));
    }
    return value.asBoolean(ifAbsent);
  }

  /** One of a few words. */
  String word(String key, List<String> words, String ifAbsent) {
    JsonNode value = optional(key);
    if (value == null) {
      return ifAbsent;
    }
    if (value.isString() && words.contains(value.asString())) {
      return value.asString();
    }
    complain(key, "must be " + String.join(" or ", words) + ", not " + QuotedText.of(value));
    return ifAbsent;
  }

  /** Whatever is there, for a key that takes more than one kind of value. */
  @Nullable JsonNode value(String key) {
    return optional(key);
  }

  /** A mapping that must be there; empty if it isn't. */
  ObjectNode mapping(String key) {
    JsonNode value = required(key);
    return value == null ? JsonNodeFactory.instance.objectNode() : mappingOf(key, value);
  }

  /** A mapping that may be left out, and is then empty. */
  ObjectNode optionalMapping(String key) {
    JsonNode value = optional(key);
    return value == null ? JsonNodeFactory.instance.objectNode() : mappingOf(key, value);
  }

  /** A mapping that may be left out, to be read key by key. */
  Section section(String key) {
    return new Section(file, path(key), optionalMapping(key));
  }

  /** The mappings of a list that may be left out. */
  public List<Section> sections(String key) {
    List<Section> sections = new ArrayList<>();
    List<JsonNode> items = list(key);
    for (int i = 0; i < items.size(); i++) {
      String at = SourceFile.within(path(key), i);
      if (items.get(i) instanceof ObjectNode mapping) {
        sections.add(new Section(file, at, mapping));
      } else {
        file.report(at, "must be a mapping, not " + QuotedText.of(items.get(i)));
      }
    }
    return sections;
  }

  /** The items of a list that may be left out, whatever they are. */
  public List<JsonNode> list(String key) {
    JsonNode value = optional(key);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray()) {
      complain(key, "must be a list, not " + QuotedText.of(value));
      return List.of();
    }
    return List.copyOf(value.values());
  }

  /** Reports the keys that nobody asked for: call it after the last read. */
  public void close() {
    for (String key : node.propertyNames()) {
      if (!known.contains(key)) {
        Optional<String> near = NearestName.of(key, known);
        complain(
            key,
            "is not a known key; "
                + near.map(name -> "did you mean " + name + "?")
                    .orElseGet(() -> "known here are " + String.join(", ", known)));
      }
    }
  }

  public void complain(String key, String complaint) {
    file.report(path(key), complaint);
  }

  private @Nullable JsonNode optional(String key) {
    known.add(key);
    return node.get(key);
  }

  private @Nullable JsonNode required(String key) {
    JsonNode value = optional(key);
    if (value == null) {
      complain(key, "is missing");
    }
    return value;
  }

  private String textOf(String key, JsonNode value, int mostCharacters) {
    if (!value.isString()) {
      complain(key, "must be text, not " + QuotedText.of(value));
      return "";
    }
    String text = value.asString().strip();
    if (text.isEmpty()) {
      complain(key, "must not be empty");
    } else if (text.length() > mostCharacters) {
      complain(key, "must have at most " + mostCharacters + " characters, not " + text.length());
    }
    return text;
  }

  private long wholeOf(String key, JsonNode value, long least, long most) {
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      long number = value.asLong();
      if (number >= least && number <= most) {
        return number;
      }
    }
    complain(
        key,
        "must be a whole number from " + least + " to " + most + ", not " + QuotedText.of(value));
    return least;
  }

  private ObjectNode mappingOf(String key, JsonNode value) {
    if (value instanceof ObjectNode mapping) {
      return mapping;
    }
    complain(key, "must be a mapping, not " + QuotedText.of(value));
    return JsonNodeFactory.instance.objectNode();
  }
}
