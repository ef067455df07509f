package dev.millrace.web.http;

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

/**
 * A compiled path such as {@code /api/jobs/{id}/events} or {@code /api/effects/{slug*}}. After a
 * catch-all only literal segments may come, such as {@code /api/admin/effects/{slug*}/pause}.
 */
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
    if (segments.getLast() instanceof Segment.Rest) {
      word.append('~'); // Behind every catch-all that goes on.
    }
    this.shape = word.toString();
  }

  static PathTemplate of(String template) {
    if (!template.startsWith("/")) {
      throw new IllegalArgumentException("A path template starts with a slash: " + template);
    }
    List<Segment> segments = new ArrayList<>();
    Set<String> names = new HashSet<>();
    boolean all = false;
    String[] words = template.substring(1).split("/", -1);
    for (String text : words) {
      Matcher parameter = PARAMETER.matcher(text);
      if (!parameter.matches()) {
        if (text.contains("{") || text.contains("}")) {
          throw new IllegalArgumentException("Not a parameter: " + text + " in " + template);
        }
        segments.add(new Segment.Literal(text));
        continue;
      }
      String name = parameter.group(1);
      boolean rest = !parameter.group(2).isEmpty();
      if (!names.add(name) || all) {
        throw new IllegalArgumentException(
            "Names are unique and no parameter follows a catch-all: " + template);
      }
      all = rest;
      segments.add(rest ? new Segment.Rest(name) : new Segment.One(name));
    }
    return new PathTemplate(List.copyOf(segments));
  }

  String shape() {
    return shape;
  }

  /** Whether it has no parameters, and so matches one path only. */
  boolean plain() {
    return segments.stream().allMatch(Segment.Literal.class::isInstance);
  }

  /** The parameters if the decoded path matches. A parameter is never empty. */
  Optional<Map<String, String>> match(List<String> path) {
    Map<String, String> parameters = new LinkedHashMap<>();
    int at = 0;
    for (int i = 0; i < segments.size(); i++) {
      int end = path.size() - (segments.size() - 1 - i);
      if (at >= end) {
        return Optional.empty();
      }
      String here = path.get(at);
      List<String> rest = path.subList(at, end);
      switch (segments.get(i)) {
        case Segment.Literal(String text) when text.equals(here) -> at++;
        case Segment.One(String name) when !here.isEmpty() -> {
          parameters.put(name, here);
          at++;
        }
        case Segment.Rest(String name) when !rest.contains("") -> {
          parameters.put(name, String.join("/", rest));
          at = end;
        }
        default -> {
          return Optional.empty();
        }
      }
    }
    return at == path.size() ? Optional.of(parameters) : Optional.empty();
  }
}
