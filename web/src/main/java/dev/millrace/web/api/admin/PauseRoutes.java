package dev.millrace.web.api.admin;

import dev.millrace.postgres.catalogue.Pauses;
import dev.millrace.postgres.catalogue.Pauses.Kind;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.RouteHandler;
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

  public PauseRoutes(Authentication authentication, Pauses pauses) {
    this.authentication = authentication;
    this.pauses = pauses;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/admin/effects/{slug*}/pause", pause(Kind.EFFECT, "effect.pause")),
        Route.post("/api/admin/effects/{slug*}/resume", resume(Kind.EFFECT, "effect.resume")),
        Route.post("/api/admin/workflows/{slug}/pause", pause(Kind.WORKFLOW, "workflow.pause")),
        Route.post("/api/admin/workflows/{slug}/resume", resume(Kind.WORKFLOW, "workflow.resume")));
  }

  private RouteHandler pause(Kind kind, String action) {
    return authentication.require(
        Role.ADMIN,
        (request, principal) -> told(pauses.pause(kind, line(request, principal, action))));
  }

  private RouteHandler resume(Kind kind, String action) {
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
