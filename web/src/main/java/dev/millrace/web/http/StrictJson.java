package dev.millrace.web.http;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads JSON from clients: UTF-8 only, one value, no duplicate keys, bounded in every direction.
 * What PostgreSQL could not store (NUL, lone surrogates) is refused with its path, and so is a
 * number that no floating-point type holds: {@code 1e999999999} is ten characters, and a gigabyte
 * once it is written out.
 */
final class StrictJson {
  private static final int MOST_DIGITS = 308;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private StrictJson() {}

  static JsonNode parse(byte[] body) {
    ByteBuffer bytes = ByteBuffer.wrap(body);
    JsonNode node;
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      node = read(JsonBytes.READER, text, () -> JsonBytes.READER.readTree(text));
    } catch (CharacterCodingException e) {
      throw malformed("The body is not UTF-8 (byte " + (bytes.position() + 1) + ").");
    }
    refuseUnstorable(node, "");
    return node;
  }

  /**
   * The same, but what a text can't hold is put right instead of refused, and what is no number or
   * beyond all bounds is null: a report must not fail for what a broken program printed.
   */
  static JsonNode parseMended(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    return read(JsonBytes.LENIENT, text, () -> mended(text));
  }

  private static JsonNode mended(String text) {
    try (JsonParser parser = JsonBytes.LENIENT.createParser(text)) {
      JsonNode node = parser.nextToken() == null ? NODES.missingNode() : mended(parser);
      if (parser.nextToken() != null) {
        throw malformed(
            "There is something after the JSON" + place(parser.currentLocation()) + ".");
      }
      return node;
    }
  }

  /** The value that begins here. The recursion is bounded by the nesting depth. */
  private static JsonNode mended(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = whole(parser.currentName());
          parser.nextToken();
          object.set(name, mended(parser));
        }
        yield object;
      }
      case START_ARRAY -> {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(mended(parser));
        }
        yield array;
      }
      case VALUE_STRING -> NODES.stringNode(whole(parser.getString()));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser, parser.getString());
      case VALUE_TRUE, VALUE_FALSE -> NODES.booleanNode(parser.getBooleanValue());
      default -> NODES.nullNode();
    };
  }

  private static JsonNode number(JsonParser parser, String text) {
    if (text.length() > JsonBytes.BOUNDS.getMaxNumberLength()) {
      return NODES.nullNode();
    }
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      return switch (parser.getNumberType()) {
        case INT -> NODES.numberNode(parser.getIntValue());
        case LONG -> NODES.numberNode(parser.getLongValue());
        default -> NODES.numberNode(parser.getBigIntegerValue());
      };
    }
    try {
      BigDecimal number = new BigDecimal(text);
      return isBounded(number) ? NODES.numberNode(number) : NODES.nullNode();
    } catch (NumberFormatException _) {
      // None at all, or with an exponent that nothing holds.
      return NODES.nullNode();
    }
  }

  private static String whole(String text) {
    StringBuilder whole = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> c == 0 || (c >= 0xD800 && c <= 0xDFFF) ? 0xFFFD : c)
        .forEach(whole::appendCodePoint);
    return whole.toString();
  }

  private static JsonNode read(JsonMapper reader, String text, Supplier<JsonNode> reading) {
    JsonNode node;
    try {
      node = reading.get();
    } catch (StreamConstraintsException e) {
      throw malformed("The JSON goes beyond the limits" + placeOfLimit(reader, text) + ".");
    } catch (JacksonException e) {
      throw malformed("The body is not valid JSON" + place(e) + ".");
    } catch (ArithmeticException | NumberFormatException _) {
      // An exponent can be too large even for what has no bounds.
      throw malformed("The JSON goes beyond the limits, with a number.");
    }
    if (node.isMissingNode()) {
      throw malformed("The body is empty; JSON is expected.");
    }
    return node;
  }

  /** The exception does not know where it happened, but the parser does when it comes there. */
  private static String placeOfLimit(JsonMapper reader, String text) {
    try (JsonParser parser = reader.createParser(text)) {
      try {
        while (parser.nextToken() != null) {
          if (parser.currentToken().isNumeric()) {
            parser.getNumberValue();
          } else if (parser.currentToken().isScalarValue()) {
            parser.getString();
          }
        }
      } catch (JacksonException e) {
        return place(parser.currentLocation());
      }
    }
    return "";
  }

  private static String place(JacksonException e) {
    return place(e.getLocation());
  }

  private static String place(@Nullable TokenStreamLocation location) {
    return location == null || location.getLineNr() < 1
        ? ""
        : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(400, "malformed_json", detail);
  }

  /** The recursion is bounded by the nesting depth that the parser allows. */
  private static void refuseUnstorable(JsonNode node, String path) {
    if (node.isString()) {
      refuseBrokenText(node.stringValue(), path);
    }
    if (node.isBigDecimal() && !isBounded(node.decimalValue())) {
      throw ProblemException.invalid(path, "is a number beyond all bounds");
    }
    int index = 0;
    if (node.isArray()) {
      for (JsonNode element : node.values()) {
        refuseUnstorable(element, path + "/" + index++);
      }
    }
    for (Map.Entry<String, JsonNode> property : node.properties()) {
      String at = path + "/" + property.getKey().replace("~", "~0").replace("/", "~1");
      refuseBrokenText(property.getKey(), at);
      refuseUnstorable(property.getValue(), at);
    }
  }

  private static boolean isBounded(BigDecimal number) {
    long exponent = (long) number.precision() - number.scale() - 1;
    return Math.abs(exponent) <= MOST_DIGITS && Math.abs((long) number.scale()) <= MOST_DIGITS;
  }

  private static void refuseBrokenText(String text, String path) {
    if (text.indexOf('\0') >= 0 || hasLoneSurrogate(text)) {
      // The parser refuses lone surrogates in names, but a NUL may be in the path as well.
      throw ProblemException.invalid(
          path.replace('\0', '\uFFFD'), "contains NUL or an unpaired surrogate");
    }
  }

  private static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isHighSurrogate(text.charAt(i))
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }
}
