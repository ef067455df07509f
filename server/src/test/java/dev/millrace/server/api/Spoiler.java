package dev.millrace.server.api;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes bad bodies from a good one. Each character of a body stands for one byte. */
final class Spoiler {

  private static final String MARK = "-- here --";
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final ObjectNode good;

  Spoiler(String good) {
    this.good = (ObjectNode) JSON.readTree(good);
  }

  static byte[] bytes(String body) {
    return body.replace(GoodRequests.FRESH, UUID.randomUUID().toString())
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** With this JSON in place of a field. */
  String with(String pointer, String json) {
    return marked(pointer).replace("\"" + MARK + "\"", json);
  }

  /** With this field twice. */
  String twice(String pointer) {
    String name = last(pointer);
    String pair = "\"" + name + "\":\"" + MARK + "\"";
    return marked(pointer).replace(pair, "\"" + name + "\":1,\"" + name + "\":1");
  }

  String without(String pointer) {
    ObjectNode copy = good.deepCopy();
    ((ObjectNode) copy.at(parent(pointer))).remove(last(pointer));
    return copy.toString();
  }

  /** With one more field in the object at this place. */
  String and(String place, String name) {
    return marked(place + "/" + MARK)
        .replace("\"" + MARK + "\":\"" + MARK + "\"", "\"" + name + "\":1");
  }

  /** Where fields could be added. */
  List<String> objects() {
    return Stream.concat(
            Stream.of(""),
            good.properties().stream()
                .filter(field -> field.getValue().isObject())
                .map(field -> "/" + field.getKey()))
        .toList();
  }

  /** The body as the schema's validator sees it; missing if it is no JSON. */
  static JsonNode read(String body) {
    try {
      return JSON.readTree(body);
    } catch (JacksonException e) {
      return JSON.missingNode();
    }
  }

  static String parent(String pointer) {
    return pointer.substring(0, pointer.lastIndexOf('/'));
  }

  private static String last(String pointer) {
    return pointer.substring(pointer.lastIndexOf('/') + 1);
  }

  private String marked(String pointer) {
    ObjectNode copy = good.deepCopy();
    String[] steps = pointer.substring(1).split("/", -1);
    JsonNode at = copy;
    for (int i = 0; i < steps.length; i++) {
      JsonNode next =
          i == steps.length - 1 ? JSON.getNodeFactory().stringNode(MARK) : step(at, steps[i]);
      if (next.isMissingNode()) {
        next = steps[i + 1].equals("0") ? JSON.createArrayNode() : JSON.createObjectNode();
      }
      if (at instanceof ArrayNode list) {
        list.removeAll().add(next);
      } else {
        ((ObjectNode) at).set(steps[i], next);
      }
      at = next;
    }
    return copy.toString();
  }

  private static JsonNode step(JsonNode at, String step) {
    JsonNode next = at.isArray() ? at.path(0) : at.path(step);
    return next.isContainer() ? next : next.path("missing");
  }
}
