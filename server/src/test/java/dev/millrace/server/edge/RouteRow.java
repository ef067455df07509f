package dev.millrace.server.edge;

import dev.millrace.service.access.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One route or page of the matrix.
 *
 * @param least the scope that it needs, or {@code any} for everybody who is let in, {@code worker}
 *     for workers, {@code open} for the whole world
 * @param body what a good request says: JSON, or a form's fields for pages; may name things as
 *     {@code <job>}
 */
record RouteRow(String method, String template, String query, String least, String body) {

  private static final Pattern PARAMETER = Pattern.compile("([^/]+)/\\{([a-z]+)\\*?}");

  /** Reads a line such as {@code POST /api/jobs/{id}/decline reviews:write {"reason":"r"}}. */
  static RouteRow of(String line) {
    String[] parts = line.strip().split("\\s+", 4);
    String[] target = parts[1].split("\\?", 2);
    return new RouteRow(
        parts[0],
        target[0],
        target.length > 1 ? "?" + target[1] : "",
        parts[2],
        parts.length > 3 ? parts[3] : "");
  }

  /** As routes are named, without a query. */
  String name() {
    return method + " " + template;
  }

  /** Each parameter with what stands before it, such as {@code jobs/{id}}. */
  List<String> parameters() {
    List<String> found = new ArrayList<>();
    Matcher matcher = PARAMETER.matcher(template);
    int from = 0;
    while (matcher.find(from)) {
      found.add(matcher.group(1) + "/{" + matcher.group(2) + "}");
      // A parameter may stand right behind another one.
      from = matcher.end(1);
    }
    return found;
  }

  boolean console() {
    return template.startsWith("/console");
  }

  boolean reads() {
    return method.equals("GET");
  }

  boolean isFor(String who) {
    return least.equals(who);
  }

  /** The scope that it needs; empty if it needs none. */
  Optional<Scope> scope() {
    return isFor("any") || isFor("worker") || isFor("open")
        ? Optional.empty()
        : Optional.of(
            Scope.ofLabel(least)
                .orElseThrow(() -> new IllegalArgumentException(name() + ": no scope " + least)));
  }

  @Override
  public String toString() {
    return name() + query;
  }
}
