package dev.millrace.web.api.request;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.Problem.Violation;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A small JSON body whose fields are known. What is wrong is gathered: read every field, then call
 * {@link #requireGood} before using any.
 */
public final class Body {

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
  private static final int LONGEST_TEXT = 200;
  private static final String TEXT_LAW = "must be a text of 1 to 200 characters";
  private static final int LONGEST_REASON = 500;
  private static final String REASON_LAW = "must be a text of 1 to 500 characters";
  private static final int MOST_ITEMS = 1_000;

  private final ObjectNode fields;
  private final String path;
  private final List<Violation> violations;

  private Body(ObjectNode fields, String path, List<Violation> violations, String... known) {
    this.fields = fields;
    this.path = path;
    this.violations = violations;
    Set<String> names = Set.of(known);
    for (String name : fields.propertyNames()) {
      if (!names.contains(name)) {
        wrong(Params.pointer(name), "is not a field of this request");
      }
    }
  }

  public static Body of(Request request, String... known) {
    return new Body(request.jsonObject(), "", new ArrayList<>(), known);
  }

  /** Of fields that came otherwise, such as in a form. */
  public static Body of(ObjectNode fields, String... known) {
    return new Body(fields, "", new ArrayList<>(), known);
  }

  /** With broken text put right. */
  public static Body mended(Request request, String... known) {
    return new Body(request.mendedJsonObject(), "", new ArrayList<>(), known);
  }

  /** The object in a field; what is wrong with it is gathered here too. */
  public Body inside(String name, String... known) {
    if (fields.get(name) instanceof ObjectNode object) {
      return new Body(object, path + "/" + name, violations, known);
    }
    wrong(name, fields.hasNonNull(name) ? "must be an object" : "is required");
    return new Body(JsonMapper.shared().createObjectNode(), path + "/" + name, violations, known);
  }

  /** The object at this place of a list. */
  public Body element(String name, int index, String... known) {
    String at = path + "/" + name + "/" + index;
    if (fields.path(name).get(index) instanceof ObjectNode object) {
      return new Body(object, at, violations, known);
    }
    violations.add(new Violation(at, "must be an object"));
    return new Body(JsonMapper.shared().createObjectNode(), at, violations, known);
  }

  /** The value of a field as it came, for those who know what it must be; null if left out. */
  public @Nullable JsonNode raw(String name) {
    return fields.hasNonNull(name) ? fields.get(name) : null;
  }

  /** A body that may be left out. */
  public static Body ofOptional(Request request, String... known) {
    return request.bytes().length == 0
        ? new Body(JsonMapper.shared().createObjectNode(), "", new ArrayList<>(), known)
        : of(request, known);
  }

  /** A body that may be left out, with broken text put right. */
  public static Body mendedOptional(Request request, String... known) {
    return request.bytes().length == 0
        ? new Body(JsonMapper.shared().createObjectNode(), "", new ArrayList<>(), known)
        : mended(request, known);
  }

  /** Refuses the request if anything was wrong so far. */
  public void requireGood() {
    if (!violations.isEmpty()) {
      throw new ProblemException(Problem.invalid(violations));
    }
  }

  public void wrong(String name, String message) {
    violations.add(new Violation(path + "/" + name, message));
  }

  /** Something wrong that is not in the body, such as a header. */
  public void wrongBeside(String where, String message) {
    violations.add(new Violation(where, message));
  }

  public String text(String name) {
    return required(name, textOrNull(name));
  }

  public @Nullable String textOrNull(String name) {
    return textOrNull(name, TEXT_LAW, Body::isShortText);
  }

  /** Why somebody decided so, in a sentence or two. */
  public String reason(String name) {
    return required(name, reasonOrNull(name));
  }

  public @Nullable String reasonOrNull(String name) {
    return textOrNull(name, REASON_LAW, text -> !text.isBlank() && text.length() <= LONGEST_REASON);
  }

  /** A word for machines, such as {@code violence}. */
  public String word(String name) {
    return required(
        name,
        textOrNull(
            name,
            "must be 1 to 50 lower case letters, digits and _, a letter first",
            text -> text.matches("[a-z][a-z0-9_]{0,49}")));
  }

  /** A checksum of a file. */
  public String sha256(String name) {
    return required(name, sha256OrNull(name));
  }

  public @Nullable String sha256OrNull(String name) {
    return textOrNull(name, "must be 64 lower case hexadecimal digits", Sha256::isHex);
  }

  public String user(String name) {
    return required(name, userOrNull(name));
  }

  public @Nullable String userOrNull(String name) {
    return textOrNull(name, Params.USER_LAW, Params::isUser);
  }

  private String required(String name, @Nullable String text) {
    if (!fields.hasNonNull(name)) {
      wrong(name, "is required");
    }
    return text == null ? "" : text;
  }

  private @Nullable String textOrNull(String name, String law, Predicate<String> isGood) {
    JsonNode value = fields.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isString() || !isGood.test(value.stringValue())) {
      wrong(name, law);
      return null;
    }
    return value.stringValue();
  }

  private static boolean isShortText(String text) {
    return !text.isBlank() && text.length() <= LONGEST_TEXT;
  }

  public long number(String name, long least, long most) {
    JsonNode value = fields.get(name);
    if (value != null
        && value.isIntegralNumber()
        && value.canConvertToLong()
        && value.longValue() >= least
        && value.longValue() <= most) {
      return value.longValue();
    }
    wrong(name, "must be a whole number from %d to %d".formatted(least, most));
    return least;
  }

  /** For where a null would quietly mean more than was meant. */
  public void refuseNulls() {
    for (String name : fields.propertyNames()) {
      if (fields.path(name).isNull()) {
        wrong(Params.pointer(name), "must not be null; leave it out");
      }
    }
  }

  public boolean flag(String name, boolean otherwise) {
    JsonNode value = fields.get(name);
    if (value == null || value.isNull()) {
      return otherwise;
    }
    if (!value.isBoolean()) {
      wrong(name, "must be true or false");
      return otherwise;
    }
    return value.booleanValue();
  }

  /** A share of a hundred; what is beyond is taken for the end that it is beyond. */
  public @Nullable Integer percentOrNull(String name) {
    JsonNode value = fields.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isNumber()) {
      wrong(name, "must be a number");
      return null;
    }
    BigDecimal percent = value.decimalValue();
    if (percent.signum() <= 0) {
      return 0;
    }
    return percent.compareTo(HUNDRED) >= 0 ? 100 : percent.intValue();
  }

  /** A number, or null if it is left out or null. */
  public @Nullable Integer countOrNull(String name, int most) {
    return fields.hasNonNull(name) ? Math.toIntExact(number(name, 0, most)) : null;
  }

  /** A number that may be large, or null if it is left out or null. */
  public @Nullable Long numberOrNull(String name, long least, long most) {
    return fields.hasNonNull(name) ? number(name, least, most) : null;
  }

  /** Some ids, each counted once; null if they are left out or null. */
  public @Nullable Set<UUID> idsOrNull(String name) {
    if (!fields.hasNonNull(name)) {
      return null;
    }
    JsonNode value = fields.path(name);
    Set<UUID> ids = new LinkedHashSet<>();
    boolean good = value.isArray() && value.size() <= MOST_ITEMS;
    for (JsonNode each : value.values()) {
      Optional<UUID> id = Params.uuid(each.asString(""));
      id.ifPresent(ids::add);
      good &= id.isPresent();
    }
    if (!good) {
      wrong(name, "must be a list of ids");
    }
    return ids;
  }
}
