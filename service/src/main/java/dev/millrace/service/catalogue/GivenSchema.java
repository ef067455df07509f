package dev.millrace.service.catalogue;

import com.networknt.schema.Schema;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A schema that somebody gave us who may mean harm: it is small, refers to nothing, and its
 * patterns are matched in linear time.
 */
public final class GivenSchema {

  private static final int LONGEST = 16_384;
  private static final Set<String> REFERRING =
      Set.of("$ref", "$dynamicRef", "$recursiveRef", "$id", "$schema", "$anchor", "$dynamicAnchor");

  private final Schema compiled;

  private GivenSchema(Schema compiled) {
    this.compiled = compiled;
  }

  /** It can't be used; the message is for whoever gave it. */
  @SuppressWarnings("serial")
  public static final class Refused extends Exception {
    private Refused(String message) {
      super(message);
    }
  }

  /**
   * Reads a schema.
   *
   * @throws Refused if it is none, too long, or refers to anything
   */
  public static GivenSchema of(ObjectNode schema) throws Refused {
    if (schema.toString().length() > LONGEST) {
      throw new Refused("The schema is longer than " + LONGEST + " characters.");
    }
    if (refers(schema)) {
      throw new Refused("The schema refers to something, which it must not.");
    }
    List<InputViolation> violations = SchemaChecks.ofSchema(schema);
    if (!violations.isEmpty()) {
      throw new Refused(
          "The schema has a mistake: "
              + violations.getFirst().under("row_schema")
              + " "
              + violations.getFirst().complaint()
              + ".");
    }
    try {
      return new GivenSchema(SchemaChecks.compileGiven(schema));
    } catch (RuntimeException e) {
      throw new Refused("The schema can't be used: perhaps it has a pattern that is none.");
    }
  }

  private static boolean refers(JsonNode node) {
    return node.isObject()
        ? node.properties().stream()
            .anyMatch(each -> REFERRING.contains(each.getKey()) || refers(each.getValue()))
        : node.isArray() && node.values().stream().anyMatch(GivenSchema::refers);
  }

  /** What is wrong with a value. */
  public List<InputViolation> violations(JsonNode value) {
    return SchemaChecks.violations(compiled, value);
  }
}
