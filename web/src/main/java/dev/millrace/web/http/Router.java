package dev.millrace.web.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the route of a request; a wrong method is told apart from an unknown path. */
public final class Router {
  private final List<Entry> entries;

  /** The routes without parameters, by method and path: most requests are for one of them. */
  private final Map<String, Match> plain = new HashMap<>();

  private record Entry(PathTemplate template, Route route) {}

  public record Match(Route route, Map<String, String> parameters) {}

  public Router(List<Route> routes) {
    List<Entry> compiled = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Route route : routes) {
      PathTemplate template = PathTemplate.of(route.template());
      if (!seen.add(route.method() + " " + template.shape())) {
        throw new IllegalArgumentException(
            "Two routes match the same requests: " + route.method() + " " + route.template());
      }
      compiled.add(new Entry(template, route));
    }
    compiled.sort(Comparator.comparing(Entry::template, PathTemplate.MOST_SPECIFIC_FIRST));
    this.entries = List.copyOf(compiled);
    for (Entry entry : entries) {
      if (entry.template().plain()) {
        Route route = entry.route();
        plain.put(route.method() + " " + route.template(), new Match(route, Map.of()));
      }
    }
  }

  public Match match(String method, String rawPath) {
    @Nullable Match exact = plain.get(method + " " + rawPath);
    if (exact != null) {
      return exact;
    }
    List<String> path = PercentCoding.segments(rawPath);
    String wanted = method.equals("HEAD") ? "GET" : method;
    Set<String> allowed = new TreeSet<>();
    for (Entry entry : entries) {
      Optional<Map<String, String>> parameters = entry.template().match(path);
      if (parameters.isPresent()) {
        Route route = entry.route();
        if (route.method().equals(wanted) || route.method().equals(method)) {
          return new Match(route, parameters.get());
        }
        allowed.add(route.method());
      }
    }
    if (allowed.isEmpty()) {
      throw ProblemException.notFound();
    }
    return refuseOrExplain(method, rawPath, allowed);
  }

  private static Match refuseOrExplain(String method, String rawPath, Set<String> allowed) {
    allowed.add("OPTIONS");
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    String allow = String.join(", ", allowed);
    if (method.equals("OPTIONS")) {
      RouteHandler explain = _ -> Response.empty(204).header("Allow", allow);
      return new Match(new Route("OPTIONS", rawPath, explain), Map.of());
    }
    throw new ProblemException(405, "method_not_allowed", "This method is not allowed here.")
        .header("Allow", allow);
  }

  /** The largest body that any route takes. */
  public long largestBody(long defaultBytes) {
    long largest = defaultBytes;
    for (Entry entry : entries) {
      Route.BodyLimit limit = entry.route().bodyLimit();
      if (limit != null) {
        largest = Math.max(largest, limit.maxBytes());
      }
    }
    return largest;
  }
}
