package dev.millrace.service.catalogue;

import com.google.re2j.Pattern;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.NonValidationKeyword;
import com.networknt.schema.path.NodePath;
import com.networknt.schema.regex.RegularExpression;
import dev.millrace.service.catalogue.InputViolation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The one place that talks to the JSON Schema library (draft 2020-12).
 *
 * <p>Two registries: one that knows the meta-schema, which the library brings along, and one for
 * everything else, which refuses to load anything at all.
 */
public final class SchemaChecks {

  static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

  private static final String DIALECT_FAMILY = "https://json-schema.org/draft/2020-12/";

  private static final SchemaRegistryConfig CONFIG =
      SchemaRegistryConfig.builder().locale(Locale.ROOT).formatAssertionsEnabled(true).build();

  /** With our own word for files, which says nothing about what is valid. */
  private static final Dialect OURS =
      Dialect.builder(Dialects.getDraft202012())
          .keyword(new NonValidationKeyword(FileRule.KEYWORD))
          .build();

  private static final SchemaRegistry CLOSED = closed(CONFIG);

  /** For schemas whose patterns may have been made to take for ever. */
  private static final SchemaRegistry GIVEN =
      closed(
          SchemaRegistryConfig.builder()
              .locale(Locale.ROOT)
              .formatAssertionsEnabled(true)
              .regularExpressionFactory(SchemaChecks::linear)
              .build());

  private static final Schema META =
      SchemaRegistry.withDialect(
              Dialects.getDraft202012(),
              builder ->
                  builder
                      .schemaRegistryConfig(CONFIG)
                      .schemaLoader(
                          loader -> loader.allow(iri -> iri.toString().startsWith(DIALECT_FAMILY))))
          .getSchema(SchemaLocation.of(DIALECT));

  private SchemaChecks() {}

  private static SchemaRegistry closed(SchemaRegistryConfig config) {
    return SchemaRegistry.withDialect(
        OURS,
        builder ->
            builder.schemaRegistryConfig(config).schemaLoader(loader -> loader.block(_ -> true)));
  }

  private static RegularExpression linear(String pattern) {
    Pattern compiled = Pattern.compile(pattern);
    return text -> compiled.matcher(text).find();
  }

  /** What is wrong with a schema as such. */
  public static List<InputViolation> ofSchema(ObjectNode schema) {
    return violations(META, schema);
  }

  /** What is wrong with a value in the eyes of a good schema. */
  public static List<InputViolation> ofValue(ObjectNode schema, JsonNode value) {
    return violations(compile(schema), value);
  }

  /** A good schema made ready to be used many times, by several threads. */
  static Schema compile(ObjectNode schema) {
    Schema compiled = CLOSED.getSchema(schema);
    compiled.initializeValidators();
    return compiled;
  }

  /** The same of a schema that somebody gave who may mean harm. */
  static Schema compileGiven(ObjectNode schema) {
    Schema compiled = GIVEN.getSchema(schema);
    compiled.initializeValidators();
    return compiled;
  }

  static List<InputViolation> violations(Schema schema, JsonNode value) {
    // The library repeats an error for every vocabulary that sees it.
    return Stream.concat(
            schema.validate(value).stream().map(SchemaChecks::violation),
            UnstorableText.in(value).stream())
        .distinct()
        .toList();
  }

  private static InputViolation violation(Error error) {
    List<Object> steps = new ArrayList<>();
    NodePath location = error.getInstanceLocation();
    for (int i = 0; i < location.getNameCount(); i++) {
      steps.add(location.getElement(i));
    }
    return switch (error.getKeyword()) {
      case "required" -> {
        steps.add(error.getProperty());
        yield new InputViolation(steps, Kind.OTHER, "is required");
      }
      case "additionalProperties" -> {
        steps.add(error.getProperty());
        yield new InputViolation(steps, Kind.UNKNOWN_NAME, "is not known here");
      }
      default -> new InputViolation(steps, Kind.OTHER, Wording.of(error));
    };
  }
}
