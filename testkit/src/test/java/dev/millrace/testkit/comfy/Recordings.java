package dev.millrace.testkit.comfy;

import dev.millrace.testkit.net.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Reads recordings, and says where an answer has another shape than the recorded one. */
public final class Recordings {

  /** Places where the double has less to say, and nobody looks. */
  private static final Set<String> IGNORED =
      Set.of("extra_info", "traceback", "current_inputs", "current_outputs", "extra");

  /** Words that programs decide by, so the same ones must come. */
  private static final Set<String> EXACT =
      Set.of(
          "type",
          "message",
          "status_str",
          "exception_type",
          "node_type",
          "class_type",
          "animated",
          "state");

  private Recordings() {}

  public static JsonNode read(String name) {
    String path = "/recordings/" + name;
    try (InputStream in = Recordings.class.getResourceAsStream(path)) {
      return Reply.JSON.readTree(Objects.requireNonNull(in, path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<String> differences(JsonNode recorded, JsonNode answered) {
    List<String> found = new ArrayList<>();
    compare("", recorded, answered, found);
    return found;
  }

  private static void compare(String place, JsonNode one, JsonNode two, List<String> found) {
    String key = place.substring(place.lastIndexOf('.') + 1);
    if (IGNORED.contains(key)) {
      return;
    }
    if (!kind(one).equals(kind(two))) {
      found.add(place + ": recorded " + kind(one) + ", answered " + kind(two));
      return;
    }
    if (one.isObject()) {
      Set<String> names = new TreeSet<>(one.propertyNames());
      if (!names.equals(new TreeSet<>(two.propertyNames()))) {
        found.add(place + ": recorded " + names + ", answered " + two.propertyNames());
      }
      names.retainAll(two.propertyNames());
      names.forEach(name -> compare(place + "." + name, one.path(name), two.path(name), found));
    } else if (one.isArray()) {
      if (one.isEmpty() != two.isEmpty()) {
        found.add(place + ": recorded " + one.size() + " items, answered " + two.size());
      }
      // Previews and tensors come in any number; what they look like is what counts.
      for (int i = 0; i < Math.min(one.size(), two.size()); i++) {
        compare(place + "." + i, one.path(i), two.path(i), found);
      }
    } else if ((EXACT.contains(key) || one.isBoolean()) && !one.equals(two)) {
      found.add(place + ": recorded " + one + ", answered " + two);
    }
  }

  private static String kind(JsonNode node) {
    return node.isNumber() ? "NUMBER" : node.getNodeType().toString();
  }
}
