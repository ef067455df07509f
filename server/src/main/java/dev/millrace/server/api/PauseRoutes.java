package dev.millrace.server.api;

import dev.millrace.postgres.records.Audit;
import dev.millrace.postgres.records.Pauses;
import dev.millrace.postgres.records.Pauses.Kind;
import dev.millrace.server.auth.Authentication;
import dev.millrace.server.auth.Principal;
import dev.millrace.server.auth.Role;
import dev.millrace.server.http.Handler;
import dev.millrace.server.http.ProblemException;
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
  private final Audit audit;

  PauseRoutes(Authentication authentication, Pauses pauses, Audit audit) {
    this.authentication = authentication;
    this.pauses = pauses;
    this.audit = audit;
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
        (request, principal) ->
            told(principal, action, pauses.pause(kind, request.pathParameter("slug"))));
  }

  private Handler resume(Kind kind, String action) {
    return authentication.require(
        Role.ADMIN,
        (request, principal) ->
            told(principal, action, pauses.resume(kind, request.pathParameter("slug"))));
  }

  private Response told(Principal principal, String action, Optional<Pauses.Standing> found) {
    Pauses.Standing now = found.orElseThrow(ProblemException::notFound);
    audit.write(principal.audit(action, now.slug(), null));
    return Response.json(
        200,
        JsonMapper.shared()
            .createObjectNode()
            .put("slug", now.slug())
            .put("paused", now.pausedAt() != null)
            .put("paused_at", JobJson.text(now.pausedAt())));
  }
}
