package dev.millrace.service.attempt;

import dev.millrace.contract.text.OwnerText;
import dev.millrace.engine.job.Summary;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the facts that a provider reports. Only small, plain JSON passes: the summary goes into a
 * database and into every answer about its job, and what either can't carry would hold the job up
 * for good. What a name such as {@code password} says to be a secret is not told.
 */
public final class ProviderSummary {

  private static final int MOST_VALUES = 1_000;
  private static final int MOST_CHARACTERS = 20_000;
  private static final int DEEPEST = 8;
  private static final int MOST_DIGITS = 308;
  private static final int MOST_BITS = 1_023;

  private static final JsonNodeFactory JSON = JsonMapper.shared().getNodeFactory();

  /** These are no facts that could be kept; the message says why, without quoting them. */
  @SuppressWarnings("serial")
  public static final class Refused extends RuntimeException {
    private Refused(String message) {
      super(message);
    }
  }

  private int values;
  private int characters;

  private ProviderSummary() {}

  /**
   * The facts as a summary.
   *
   * @throws Refused if they are not plain or not small
   */
  public static Summary summary(Map<String, Object> facts) {
    ProviderSummary reader = new ProviderSummary();
    SortedMap<String, String> summary = new TreeMap<>();
    facts.forEach(
        (name, value) -> summary.put(reader.text(name), reader.value(name, value, 1).toString()));
    return new Summary(summary);
  }

  /**
   * The value as it is kept.
   *
   * @param name that it has, or that the list or the secret has which it is in
   */
  private JsonNode value(String name, @Nullable Object value, int depth) {
    if (++values > MOST_VALUES) {
      throw new Refused("the summary has too many values");
    }
    if (depth > DEEPEST) {
      throw new Refused("the summary is nested too deep");
    }
    return switch (value) {
      case null -> JSON.nullNode();
      case String text -> JSON.stringNode(text(name, text));
      case Boolean truth -> JSON.booleanNode(truth);
      case Number number -> number(name, number);
      case List<?> list -> list(name, list, depth);
      case Map<?, ?> map -> map(name, map, depth);
      default -> throw new Refused("the summary has a value that is not plain JSON");
    };
  }

  private static JsonNode number(String name, Number number) {
    JsonNode plain = number(number);
    String digits = plain.asString();
    String shown = OwnerText.field(name, digits, MOST_CHARACTERS);
    return shown.equals(digits) ? plain : JSON.stringNode(shown);
  }

  private static JsonNode number(Number number) {
    return switch (number) {
      case Byte _, Short _, Integer _, Long _ -> JSON.numberNode(number.longValue());
      case Float _, Double _ when Double.isFinite(number.doubleValue()) ->
          JSON.numberNode(number.doubleValue());
      case BigInteger whole when whole.bitLength() <= MOST_BITS -> JSON.numberNode(whole);
      case BigDecimal decimal when isBounded(decimal) -> JSON.numberNode(decimal);
      default -> throw new Refused("the summary has a number that can't be stored");
    };
  }

  /** A few characters can mean a number with a million digits. */
  private static boolean isBounded(BigDecimal number) {
    long exponent = (long) number.precision() - number.scale();
    return Math.abs(exponent) <= MOST_DIGITS && Math.abs((long) number.scale()) <= MOST_DIGITS;
  }

  private ArrayNode list(String name, List<?> list, int depth) {
    ArrayNode array = JSON.arrayNode();
    for (Object each : list) {
      array.add(value(name, each, depth + 1));
    }
    return array;
  }

  private ObjectNode map(String of, Map<?, ?> map, int depth) {
    boolean secret = OwnerText.isSecretName(of);
    ObjectNode object = JSON.objectNode();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String name)) {
        throw new Refused("the summary has a name that is not a text");
      }
      object.set(text(name), value(secret ? of : name, entry.getValue(), depth + 1));
    }
    return object;
  }

  private String text(String name, String text) {
    count(text);
    return text.isEmpty() ? text : OwnerText.field(name, text, MOST_CHARACTERS);
  }

  private String text(String text) {
    count(text);
    return text.isEmpty() ? text : OwnerText.lines(text, MOST_CHARACTERS);
  }

  private void count(String text) {
    if (text.length() > MOST_CHARACTERS - characters) {
      throw new Refused("the summary is too long");
    }
    characters += text.length();
  }
}
