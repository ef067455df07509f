package dev.millrace.server.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A compiled path such as {@code /api/jobs/{id}/events} or {@code /api/effects/{slug*}}. */
final class PathTemplate {
  /** Literal segments win over parameters, and parameters over a catch-all. */
  static final Comparator<PathTemplate> MOST_SPECIFIC_FIRST =
      Comparator.comparing(template -> template.shape);

  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z][a-z0-9_]*)(\\*?)}");

  private final List<Segment> segments;

  /** One word per segment whose order is the precedence; equal shapes match the same paths. */
  private final String shape;

  private sealed interface Segment {
    record Literal(String text) implements Segment {}

    record One(String name) implements Segment {}

    record Rest(String name) implements Segment {}
  }

  private PathTemplate(List<Segment> segments) {
    this.segments = segments;
    StringBuilder word = new StringBuilder();
    for (Segment segment : segments) {
      word.append(
          switch (segment) {
            case Segment.Literal(String text) -> "/0" + text;
            case Segment.One _ -> "/1";
            case Segment.Rest _ -> "/2";
          });
    }
    this.shape = word.toString();
  }

  static PathTemplate of(String template) {
    if (!template.startsWith("/")) {
      throw new IllegalArgumentException("A path template starts with a slash: " + template);
    }
    List<Segment> segments = new ArrayList<>();
    Set<String> names = new HashSet<>();
    String[] words = template.substring(1).split("/", -1);
    for (int i = 0; i < words.length; i++) {
      Matcher parameter = PARAMETER.matcher(words[i]);
      if (!parameter.matches()) {
        if (words[i].contains("{") || words[i].contains("}")) {
          throw new IllegalArgumentException("Not a parameter: " + words[i] + " in " + template);
        }
        segments.add(new Segment.Literal(words[i]));
        continue;
      }
      String name = parameter.group(1);
      boolean rest = !parameter.group(2).isEmpty();
      if (!names.add(name) || (rest && i < words.length - 1)) {
        throw new IllegalArgumentException(
            "Names are unique and a catch-all comes last: " + template);
      }
      segments.add(rest ? new Segment.Rest(name) : new Segment.One(name));
    }
    return new PathTemplate(List.copyOf(segments));
  }

  String shape() {
    return shape;
  }

  /** The parameters if the decoded path matches. A parameter is never empty. */
  Optional<Map<String, String>> match(List<String> path) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int i = 0; i < segments.size(); i++) {
      if (i >= path.size()) {
        return Optional.empty();
      }
      String here = path.get(i);
      List<String> rest = path.subList(i, path.size());
      switch (segments.get(i)) {
        case Segment.Literal(String text) when text.equals(here) -> {}
        case Segment.One(String name) when !here.isEmpty() -> parameters.put(name, here);
        case Segment.Rest(String name) when !rest.contains("") -> {
          parameters.put(name, String.join("/", rest));
          return Optional.of(parameters);
        }
        default -> {
          return Optional.empty();
        }
      }
    }
    return path.size() == segments.size() ? Optional.of(parameters) : Optional.empty();
  }
}
