package dev.millrace.web.dialect.videos;

import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.RouteHandler;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What the answers of this dialect have in common. */
final class Envelope {

  private static final String FUNDS = "insufficient_credits";

  private Envelope() {}

  static Response good(int status, ObjectNode fields, String message) {
    ObjectNode answer = JsonMapper.shared().createObjectNode();
    answer.put("success", true).put("message", message);
    answer.set("data", fields.deepCopy());
    answer.setAll(fields);
    return Response.json(status, answer);
  }

  /** Refusals have what these clients look for beside what a problem has. */
  static Response filter(Request request, RouteHandler next) throws Exception {
    try {
      return next.handle(request);
    } catch (ProblemException e) {
      throw own(e);
    }
  }

  private static ProblemException own(ProblemException refusal) {
    Problem problem = refusal.problem();
    boolean funds = problem.code().equals(FUNDS);
    Map<String, Object> data = new LinkedHashMap<>(problem.extra());
    @Nullable Object required = data.get("required_credits");
    if (funds && required != null) {
      data.put("required_tokens", required);
    }
    Problem told =
        new Problem(funds ? 422 : problem.status(), problem.code(), problem.detail(), data)
            .with("success", false)
            .with("message", funds ? "Insufficient token balance." : problem.detail())
            .with("data", data);
    ProblemException own = new ProblemException(told);
    refusal.headers().forEach(own::header);
    return own;
  }
}
