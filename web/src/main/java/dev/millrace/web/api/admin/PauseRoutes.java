package dev.millrace.web.api.admin;

import dev.millrace.postgres.catalogue.Pauses;
import dev.millrace.postgres.catalogue.Pauses.Kind;
import dev.millrace.service.access.Scope;
import dev.millrace.service.jobs.CatalogueActions;
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
  private final CatalogueActions catalogue;

  public PauseRoutes(Authentication authentication, CatalogueActions catalogue) {
    this.authentication = authentication;
    this.catalogue = catalogue;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/admin/effects/{slug*}/pause", pause(Kind.EFFECT)),
        Route.post("/api/admin/effects/{slug*}/resume", resume(Kind.EFFECT)),
        Route.post("/api/admin/workflows/{slug}/pause", pause(Kind.WORKFLOW)),
        Route.post("/api/admin/workflows/{slug}/resume", resume(Kind.WORKFLOW)));
  }

  private RouteHandler pause(Kind kind) {
    return authentication.require(
        Scope.CATALOGUE_WRITE,
        (request, principal) -> told(catalogue.pause(principal, kind, slug(request))));
  }

  private RouteHandler resume(Kind kind) {
    return authentication.require(
        Scope.CATALOGUE_WRITE,
        (request, principal) -> told(catalogue.resume(principal, kind, slug(request))));
  }

  private static String slug(Request request) {
    return request.pathParameter("slug");
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
