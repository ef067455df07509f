package dev.millrace.web.api;

import dev.millrace.web.http.Filter;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * Refuses query parameters that a route does not have: a misspelt filter would otherwise answer
 * with what nobody asked for. What a route has is what the API's description says.
 */
final class QueryParameters {

  private static final String API = "/api/";

  private final Map<String, Set<String>> known = new HashMap<>();

  QueryParameters(JsonNode description) {
    JsonNode shared = description.path("components").path("parameters");
    for (Map.Entry<String, JsonNode> path : description.path("paths").properties()) {
      Set<String> ofPath = names(path.getValue().path("parameters"), shared);
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        Set<String> names = names(method.getValue().path("parameters"), shared);
        names.addAll(ofPath);
        known.put(key(method.getKey(), path.getKey()), names);
      }
    }
  }

  private static Set<String> names(JsonNode parameters, JsonNode shared) {
    Set<String> names = new TreeSet<>();
    for (JsonNode each : parameters.values()) {
      String reference = each.path("$ref").asString("");
      JsonNode parameter =
          reference.isEmpty()
              ? each
              : shared.path(reference.substring(reference.lastIndexOf('/') + 1));
      if (parameter.path("in").asString("").equals("query")) {
        names.add(parameter.path("name").asString(""));
      }
    }
    return names;
  }

  /** A catch-all segment is described as a plain one. */
  private static String key(String method, String template) {
    return method.toUpperCase(Locale.ROOT) + " " + template.replace("*}", "}");
  }

  /** The route behind the check. Signed addresses and calls of services carry what they like. */
  Route guard(Route route) {
    Set<String> names = known.get(key(route.method(), route.template()));
    return names == null || !route.template().startsWith(API)
        ? route
        : route.behind(refusingAllBut(names));
  }

  private static Filter refusingAllBut(Set<String> names) {
    return (request, next) -> {
      List<Problem.Violation> violations = new ArrayList<>();
      for (String name : request.queryAll().keySet()) {
        if (!names.contains(name)) {
          violations.add(new Problem.Violation(name, message(names)));
        }
      }
      // Who has not said who it is hears of that first.
      if (!violations.isEmpty() && saysWhoItIs(request, names)) {
        throw new ProblemException(Problem.invalid(violations));
      }
      return next.handle(request);
    };
  }

  /** In one of the ways in which that can be said; a ticket is good for one request only. */
  private static boolean saysWhoItIs(Request request, Set<String> names) {
    return request.header("authorization").isPresent()
        || request.header("x-fleet-secret").isPresent()
        || (names.contains("ticket") && request.query("ticket").isPresent());
  }

  private static String message(Set<String> names) {
    return names.isEmpty()
        ? "is not a parameter of this request, which has none"
        : "is not a parameter of this request; there are: " + String.join(", ", names);
  }
}
