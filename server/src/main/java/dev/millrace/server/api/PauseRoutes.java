package dev.millrace.server.api;

import dev.millrace.postgres.records.Audit;
import dev.millrace.postgres.records.Pauses;
import dev.millrace.postgres.records.Pauses.Kind;
import dev.millrace.server.auth.Authentication;
import dev.millrace.server.auth.Principal;
import dev.millrace.server.auth.Role;
import dev.millrace.server.http.Handler;
import dev.millrace.server.http.ProblemException;
import dev.millrace.server.http.Request;
import dev.millrace.server.http.Response;
import dev.millrace.server.http.Route;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Holding effects and workflows back, and letting them go on. Their names are the installation's,
 * so this is for all of its tenants.
 */
public final class PauseRoutes {

  private final Authentication authentication;
  private final Pauses pauses;

  PauseRoutes(Authentication authentication, Pauses pauses) {
    this.authentication = authentication;
    this.pauses = pauses;
  }

  List<Route> routes() {
    return List.of(
        Route.post("/api/admin/effects/{slug*}/pause", pause(Kind.EFFECT, "effect.pause")),
        Route.post("/api/admin/effects/{slug*}/resume", resume(Kind.EFFECT, "effect.resume")),
        Route.post("/api/admin/workflows/{slug}/pause", pause(Kind.WORKFLOW, "workflow.pause")),
        Route.post("/api/admin/workflows/{slug}/resume", resume(Kind.WORKFLOW, "workflow.resume")));
  }

  private Handler pause(Kind kind, String action) {
    return authentication.require(
        Role.ADMIN,
        (request, principal) -> told(pauses.pause(kind, line(request, principal, action))));
  }

  private Handler resume(Kind kind, String action) {
    return authentication.require(
        Role.ADMIN,
        (request, principal) -> told(pauses.resume(kind, line(request, principal, action))));
  }

  private static Audit.Line line(Request request, Principal principal, String action) {
    return principal.audit(action, request.pathParameter("slug"), null);
  }

  private static Response told(Optional<Pauses.Standing> found) {
    Pauses.Standing now = found.orElseThrow(ProblemException::notFound);
    return Response.json(
        200,
        JsonMapper.shared()
            .createObjectNode()
            .put("slug", now.slug())
            .put("paused", now.pausedAt() != null)
            .put("paused_at", JobJson.text(now.pausedAt())));
  }
}
