package dev.millrace.web.dialect.processes;

import dev.millrace.web.http.Problem;
import dev.millrace.web.http.Problem.Violation;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.RouteHandler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Refusals as the clients of this dialect read them: a {@code message}, and {@code errors} by the
 * names of the fields.
 */
final class ProcessErrors {

  private ProcessErrors() {}

  static Response filter(Request request, RouteHandler next) throws Exception {
    try {
      return next.handle(request);
    } catch (ProblemException e) {
      throw own(e);
    }
  }

  private static ProblemException own(ProblemException refusal) {
    Problem told = refusal.problem().with("message", refusal.problem().detail());
    if (told.extra().get("errors") instanceof List<?> errors) {
      Map<String, List<String>> byField = new LinkedHashMap<>();
      for (Object error : errors) {
        if (error instanceof Violation(String path, String message)) {
          String field = path.startsWith("/") ? path.substring(1) : path;
          byField.computeIfAbsent(field, _ -> new ArrayList<>()).add(message);
        }
      }
      told = told.with("errors", byField);
    }
    ProblemException own = new ProblemException(told);
    refusal.headers().forEach(own::header);
    return own;
  }
}
