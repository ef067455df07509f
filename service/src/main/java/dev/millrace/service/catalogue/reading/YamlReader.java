package dev.millrace.service.catalogue.reading;

import dev.millrace.service.catalogue.SourceFile;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Turns a file's text into a tree, and notes the line of everything in it.
 *
 * <p>Numbers, true, false and null are read as JSON spells them, so {@code 010} is a text and not
 * an eight. Aliases are refused rather than counted: nothing here is worth repeating, and without
 * them a small file can't unfold into a huge one. A number that JSON can't hold stays a text, and
 * meets the same complaint as any other text where a number belongs.
 */
public final class YamlReader {

  private static final int MOST_DEPTH = 32;
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final YAMLFactory YAML =
      YAMLFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH + 1).build())
          .build();

  private final SourceFile file;
  private final YAMLParser parser;

  private YamlReader(SourceFile file, YAMLParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /** The document, if it could be read; what is wrong with it is reported to the file. */
  public static Optional<ObjectNode> read(SourceFile file, String text) {
    try (YAMLParser parser = (YAMLParser) YAML.createParser(ObjectReadContext.empty(), text)) {
      return new YamlReader(file, parser).document();
    } catch (JacksonException notYaml) {
      file.reportLine(lineOf(notYaml), "this is not valid YAML: " + complaint(notYaml));
      return Optional.empty();
    }
  }

  private Optional<ObjectNode> document() {
    JsonToken first = parser.nextToken();
    if (first == null) {
      file.reportFile("the file is empty");
      return Optional.empty();
    }
    if (first != JsonToken.START_OBJECT) {
      file.reportLine(line(), "the file must be a mapping, with one \"key: value\" on each line");
      return Optional.empty();
    }
    refuseSharing();
    ObjectNode root = object("");
    if (parser.nextToken() != null) {
      file.reportLine(line(), "only one document fits in a file; put the second in its own file");
    }
    return Optional.of(root);
  }

  private ObjectNode object(String path) {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      String at = SourceFile.within(path, key);
      int line = line();
      parser.nextToken();
      if (object.has(key)) {
        int first = file.line(at).orElse(line);
        file.reportLine(line, at + " is given twice, first on line " + first);
      }
      file.locate(at, line);
      object.set(key, value(at));
    }
    return object;
  }

  private ArrayNode array(String path) {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      String at = SourceFile.within(path, array.size());
      file.locate(at, line());
      array.add(value(at));
    }
    return array;
  }

  private JsonNode value(String path) {
    refuseSharing();
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(path);
      case START_ARRAY -> array(path);
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      case VALUE_NUMBER_INT -> whole();
      case VALUE_NUMBER_FLOAT -> decimal();
      case VALUE_STRING -> NODES.stringNode(parser.getString());
      default -> throw new IllegalStateException("a YAML parser gave " + token);
    };
  }

  private JsonNode whole() {
    return switch (parser.getNumberType()) {
      case INT -> NODES.numberNode(parser.getIntValue());
      case LONG -> NODES.numberNode(parser.getLongValue());
      default -> NODES.numberNode(parser.getBigIntegerValue());
    };
  }

  private JsonNode decimal() {
    double value = parser.getDoubleValue();
    return Double.isFinite(value) ? NODES.numberNode(value) : NODES.stringNode(parser.getString());
  }

  private void refuseSharing() {
    if (parser.isCurrentAlias() || parser.getObjectId() != null) {
      file.reportLine(
          line(), "anchors (&name) and aliases (*name) can't be used here; write the value out");
    }
    if (parser.getRawTag() != null) {
      file.reportLine(line(), "tags (!name) can't be used here; leave it out");
    }
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private static int lineOf(JacksonException notYaml) {
    return notYaml.getLocation() == null ? 1 : Math.max(1, notYaml.getLocation().getLineNr());
  }

  /** The parser's own sentence without its drawing of the place, which has a line already. */
  private static String complaint(JacksonException notYaml) {
    @Nullable String problem =
        notYaml.getCause() instanceof MarkedYamlEngineException marked
            ? marked.getProblem()
            : notYaml.getOriginalMessage();
    return problem == null ? "it could not be understood" : problem.lines().findFirst().orElse("");
  }
}
