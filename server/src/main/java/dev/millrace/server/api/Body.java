package dev.millrace.server.api;

import dev.millrace.server.http.ProblemException;
import dev.millrace.server.http.Request;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A small JSON body whose fields are known. */
final class Body {

  private static final int LONGEST_TEXT = 200;

  private final ObjectNode fields;

  private Body(ObjectNode fields) {
    this.fields = fields;
  }

  static Body of(Request request, String... known) {
    ObjectNode fields = request.jsonObject();
    Set<String> names = Set.of(known);
    for (String name : fields.propertyNames()) {
      if (!names.contains(name)) {
        throw ProblemException.invalid("/" + name, "is not a field of this request");
      }
    }
    return new Body(fields);
  }

  String text(String name) {
    @Nullable String text = textOrNull(name);
    if (text == null) {
      throw ProblemException.invalid("/" + name, "is required");
    }
    return text;
  }

  @Nullable String textOrNull(String name) {
    JsonNode value = fields.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isString()
        || value.stringValue().isBlank()
        || value.stringValue().length() > LONGEST_TEXT) {
      throw ProblemException.invalid("/" + name, "must be a text of 1 to 200 characters");
    }
    return value.stringValue();
  }

  long number(String name, long least, long most) {
    JsonNode value = fields.get(name);
    if (value != null
        && value.isIntegralNumber()
        && value.canConvertToLong()
        && value.longValue() >= least
        && value.longValue() <= most) {
      return value.longValue();
    }
    throw ProblemException.invalid(
        "/" + name, "must be a whole number from %d to %d".formatted(least, most));
  }
}
