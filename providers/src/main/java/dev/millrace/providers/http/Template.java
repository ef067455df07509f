package dev.millrace.providers.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A text with placeholders: {@code Bearer ${secret.key}}. A {@code $$} before a brace is a plain
 * dollar sign.
 */
record Template(List<Part> parts) {

  /** A piece of text, or the name of a value. */
  sealed interface Part {}

  record Plain(String text) implements Part {}

  record Named(String name) implements Part {}

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$(\\$?)\\{([^}]*)}");

  Template {
    parts = List.copyOf(parts);
  }

  static Template of(String text) {
    List<Part> parts = new ArrayList<>();
    Matcher found = PLACEHOLDER.matcher(text);
    int from = 0;
    while (found.find()) {
      if (found.start() > from) {
        parts.add(new Plain(text.substring(from, found.start())));
      }
      parts.add(
          found.group(1).isEmpty()
              ? new Named(found.group(2).strip())
              : new Plain("${" + found.group(2) + "}"));
      from = found.end();
    }
    if (from < text.length()) {
      parts.add(new Plain(text.substring(from)));
    }
    return new Template(parts);
  }

  List<String> names() {
    return parts.stream()
        .filter(Named.class::isInstance)
        .map(part -> ((Named) part).name())
        .toList();
  }

  /** The one value that is the whole text, with its own type; empty if there is more. */
  Optional<String> onlyName() {
    return parts.size() == 1 && parts.getFirst() instanceof Named named
        ? Optional.of(named.name())
        : Optional.empty();
  }

  /** The text with all values in it; empty if one is missing or is no plain value. */
  Optional<String> text(PlaceholderValues scope) {
    return fill(scope, false);
  }

  /** As a part of an address: values are escaped, so that they stay where they are put. */
  Optional<String> address(PlaceholderValues scope) {
    return fill(scope, true);
  }

  private Optional<String> fill(PlaceholderValues scope, boolean escaped) {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      switch (part) {
        case Plain plain -> text.append(plain.text());
        case Named named -> {
          Optional<String> value =
              scope.value(named.name()).filter(JsonNode::isValueNode).flatMap(Template::plain);
          if (value.isEmpty()) {
            return Optional.empty();
          }
          text.append(escaped ? escape(value.get()) : value.get());
        }
      }
    }
    return Optional.of(text.toString());
  }

  private static Optional<String> plain(JsonNode value) {
    return value.isNull() ? Optional.empty() : Optional.of(value.asString());
  }

  private static String escape(String value) {
    String escaped = URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    // Dots need no escape by the rules, and mean a lot as a segment of their own.
    return escaped.matches("\\.+") ? escaped.replace(".", "%2E") : escaped;
  }
}
