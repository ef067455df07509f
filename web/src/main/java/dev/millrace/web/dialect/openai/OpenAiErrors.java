package dev.millrace.web.dialect.openai;

import dev.millrace.web.http.Filter;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.Problem.Violation;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Refusals in OpenAI's shape, with its statuses and its names for what these clients know. */
final class OpenAiErrors {

  /** Clients of OpenAI ask again by themselves unless they are told that it is no use. */
  static final String SHOULD_RETRY = "x-should-retry";

  private static final String INVALID = "invalid_request_error";

  /** What a field of the API's own is called here. */
  private static final Map<String, String> FIELDS =
      Map.of(
          "variants", "n",
          "width", "size",
          "height", "size",
          "text", "input",
          "effect", "model",
          "max_tokens", "max_completion_tokens");

  private static final Set<String> OF_A_SERVER = Set.of("job_failed", "job_not_done");

  private OpenAiErrors() {}

  static Filter filter() {
    return (request, next) -> {
      try {
        return next.handle(request);
      } catch (ProblemException e) {
        return answer(e);
      }
    };
  }

  static Response answer(ProblemException refusal) {
    Response response =
        Response.json(
            status(refusal.problem()),
            JsonMapper.shared().createObjectNode().set("error", error(refusal.problem())));
    for (Map.Entry<String, String> header : refusal.headers().entrySet()) {
      response = response.header(header.getKey(), header.getValue());
    }
    return response;
  }

  static int status(Problem problem) {
    return switch (problem.code()) {
      case "insufficient_credits" -> 429;
      case "invalid_request", "idempotency_mismatch", "blocked" -> 400;
      default -> problem.status() == 422 ? 400 : problem.status();
    };
  }

  static ObjectNode error(Problem problem) {
    ObjectNode error = JsonMapper.shared().createObjectNode();
    Violation first = first(problem);
    error.put(
        "message",
        first == null
            ? problem.detail()
            : "Invalid '%s': %s.".formatted(param(first.path()), first.message()));
    error.put("type", type(problem));
    error.put("param", first == null ? null : param(first.path()));
    error.put("code", code(problem));
    if (problem.extra().get("job_id") instanceof String job) {
      error.put("job_id", job);
    }
    return error;
  }

  private static @Nullable Violation first(Problem problem) {
    return problem.extra().get("errors") instanceof List<?> errors
            && !errors.isEmpty()
            && errors.getFirst() instanceof Violation violation
        ? violation
        : null;
  }

  private static String param(String path) {
    String bare = path.replaceFirst("^/(input/)?", "");
    return FIELDS.getOrDefault(bare, bare.isEmpty() ? "body" : bare.replace('/', '.'));
  }

  private static String type(Problem problem) {
    return switch (problem.code()) {
      case "insufficient_credits" -> "insufficient_quota";
      case "idempotency_mismatch" -> "idempotency_error";
      case "forbidden", "tenant_suspended", "origin_not_allowed" -> "permission_error";
      default -> {
        if (problem.status() == 429) {
          yield "requests";
        }
        yield problem.status() >= 500 || OF_A_SERVER.contains(problem.code())
            ? "server_error"
            : INVALID;
      }
    };
  }

  private static String code(Problem problem) {
    return switch (problem.code()) {
      case "insufficient_credits" -> "insufficient_quota";
      case "unauthenticated" -> "invalid_api_key";
      case "blocked", "job_rejected" -> "content_policy_violation";
      case "rate_limited", "too_many_active_jobs", "daily_quota_used_up" -> "rate_limit_exceeded";
      case "invalid_request" -> "invalid_value";
      default -> problem.code();
    };
  }
}
