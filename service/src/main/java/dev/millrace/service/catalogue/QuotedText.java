package dev.millrace.service.catalogue;

import java.util.Collection;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** How a value of a file looks inside a message: recognisable, and never long. */
public final class QuotedText {

  private static final int MOST_CHARACTERS = 40;

  private QuotedText() {}

  public static String of(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "a mapping";
      case ARRAY -> "a list";
      case NULL, MISSING -> "nothing";
      case STRING -> '"' + cut(value.asString()) + '"';
      default -> cut(value.asString());
    };
  }

  static String all(Collection<JsonNode> values) {
    return values.stream().map(QuotedText::plain).collect(Collectors.joining(", "));
  }

  private static String plain(JsonNode value) {
    return value.isString() ? cut(value.asString()) : of(value);
  }

  private static String cut(String text) {
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
  }
}
