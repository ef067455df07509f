package dev.millrace.cli.command.shared;

import dev.millrace.cli.api.ApiJson;
import dev.millrace.cli.shell.CommandFailure;
import dev.millrace.cli.shell.ExitCode;
import dev.millrace.service.names.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a job's input from what was typed. The effect's schema says whether {@code 4} is a number
 * or a text; whether the result is acceptable is for the server to say.
 */
public final class Inputs {

  /** Brings a file to the server and says its id. */
  @FunctionalInterface
  public interface Bringer {
    String bring(Path file) throws IOException, InterruptedException;
  }

  private final JsonNode schema;
  private final InputStream in;
  private final Bringer bringer;

  /**
   * Prepares to read.
   *
   * @param bringer for inputs that are files
   */
  public Inputs(JsonNode schema, InputStream in, Bringer bringer) {
    this.schema = schema;
    this.in = in;
    this.bringer = bringer;
  }

  /** Adds the pairs to a base; a pair wins over the base's field of the same name. */
  public ObjectNode convert(ObjectNode base, List<String> pairs)
      throws IOException, InterruptedException {
    Map<String, List<String>> typed = new LinkedHashMap<>();
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw new CommandFailure(ExitCode.USAGE, "-i needs name=value, not '" + pair + "'.");
      }
      String name = pair.substring(0, equals);
      refuseUnknown(name);
      String value = pair.substring(equals + 1);
      typed
          .computeIfAbsent(name, _ -> new ArrayList<>())
          .add(isFile(name) && value.startsWith("@") ? value : read(value));
    }
    ObjectNode input = base.deepCopy();
    typed.forEach((name, values) -> input.set(name, value(name, values)));
    // Last, so that nothing is brought for a request that is wrong anyway.
    for (String name : typed.keySet()) {
      String value = input.path(name).asString("");
      if (isFile(name) && value.startsWith("@")) {
        input.put(name, bringer.bring(fileAt(name, value.substring(1))));
      }
    }
    return input;
  }

  /** Reads a whole input from a file, or from standard input for {@code -}. */
  public ObjectNode readObject(String file) throws IOException {
    try {
      if (ApiJson.parse(readText(file)) instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException e) {
      throw new CommandFailure(ExitCode.USAGE, file + " is not JSON: " + e.getOriginalMessage());
    }
    throw new CommandFailure(ExitCode.USAGE, file + " must hold one JSON object.");
  }

  /** Which JSON types a schema allows, as far as it says so in a simple way. */
  public static Set<String> types(JsonNode schema) {
    Set<String> types = new LinkedHashSet<>();
    JsonNode type = schema.path("type");
    if (type.isString()) {
      types.add(type.asString());
    }
    type.forEach(each -> types.add(each.asString("")));
    for (String choice : new String[] {"anyOf", "oneOf"}) {
      schema.path(choice).forEach(branch -> types.addAll(types(branch)));
    }
    if (types.isEmpty()) {
      schema.path("enum").forEach(value -> types.add(InputValue.typeOf(value)));
    }
    return types;
  }

  private JsonNode value(String name, List<String> values) {
    JsonNode property = schema.path("properties").path(name);
    Set<String> types = types(property);
    boolean whole = values.size() == 1 && values.getFirst().stripLeading().startsWith("[");
    if (types.contains("array") && !whole && (values.size() > 1 || types.size() == 1)) {
      ArrayNode array = ApiJson.array();
      Set<String> itemTypes = types(property.path("items"));
      values.forEach(value -> array.add(InputValue.convert(name, value, itemTypes)));
      return array;
    }
    if (values.size() > 1) {
      throw new CommandFailure(ExitCode.USAGE, "-i " + name + "= is given more than once.");
    }
    return InputValue.convert(name, values.getFirst(), types);
  }

  /** The server marks inputs that are files; their value is the file's id. */
  private boolean isFile(String name) {
    return schema.path("properties").path(name).has("x-file");
  }

  private static Path fileAt(String name, String file) {
    Path path = Path.of(file);
    if (!Files.isRegularFile(path)) {
      throw new CommandFailure(
          ExitCode.USAGE, "-i " + name + "= names " + file + ", which is no file.");
    }
    return path;
  }

  private void refuseUnknown(String name) {
    JsonNode properties = schema.path("properties");
    boolean open =
        !schema.path("additionalProperties").isBoolean()
            || schema.path("additionalProperties").asBoolean();
    if (!open && !properties.has(name)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "The effect has no input '" + name + "'.",
          hint(name, properties.propertyNames()));
    }
  }

  private static String hint(String typed, Collection<String> names) {
    String all = String.join(", ", names);
    return NearestName.of(typed, names)
        .map(nearest -> nearest + " (all of them: " + all + ")")
        .orElse("one of " + all);
  }

  /** {@code @file} is a file's text, {@code @@text} a text that begins with an at sign. */
  private String read(String value) throws IOException {
    if (value.startsWith("@@")) {
      return value.substring(1);
    }
    if (value.startsWith("@")) {
      String text = readText(value.substring(1));
      return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }
    if (value.indexOf('\uFFFD') >= 0) {
      // With a locale like C, Java cannot decode what was typed; a garbled prompt costs as much.
      throw new CommandFailure(
          ExitCode.USAGE,
          "The terminal's character set cannot carry '" + value + "'.",
          "set LC_ALL=C.UTF-8, or pass the input with --input-json");
    }
    return value;
  }

  private String readText(String file) throws IOException {
    byte[] bytes = file.equals("-") ? in.readAllBytes() : Files.readAllBytes(Path.of(file));
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
