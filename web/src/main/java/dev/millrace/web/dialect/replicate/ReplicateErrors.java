package dev.millrace.web.dialect.replicate;

import dev.millrace.web.http.Filter;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.Problem.Violation;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Refusals as these clients know them: what is wrong with the input stands in the detail. */
final class ReplicateErrors {

  /** More than these nobody reads. */
  private static final int MOST = 20;

  private ReplicateErrors() {}

  static Filter filter() {
    return (request, next) -> {
      try {
        return next.handle(request);
      } catch (ProblemException e) {
        return answer(e);
      }
    };
  }

  private static Response answer(ProblemException refusal) {
    Problem problem = refusal.problem();
    if (!(problem.extra().get("errors") instanceof List<?> errors)) {
      return refusal.response();
    }
    List<Violation> violations =
        errors.stream()
            .filter(Violation.class::isInstance)
            .map(Violation.class::cast)
            .limit(MOST)
            .toList();
    String detail =
        violations.stream()
            .map(each -> "- " + field(each) + ": " + each.message() + "\n")
            .collect(Collectors.joining());
    Map<String, Object> extra = new LinkedHashMap<>(problem.extra());
    extra.remove("errors");
    extra.put(
        "invalid_fields",
        violations.stream()
            .map(each ->
                Map.of("type", "invalid", "field", field(each), "description", each.message()))
            .toList());
    ProblemException told =
        new ProblemException(
            new Problem(
                problem.status(),
                problem.code(),
                detail.isEmpty() ? problem.detail() : detail,
                extra));
    refusal.headers().forEach(told::header);
    return told.response();
  }

  private static String field(Violation violation) {
    return violation.path().replaceFirst("^/", "").replace('/', '.');
  }
}
