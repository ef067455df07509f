package dev.millrace.web.api.admin;

import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.postgres.tenants.Users;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.access.TenantActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The users of a tenant with their wallets: of one's own for admins, of any for operators. */
public final class UserRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Authentication authentication;
  private final TenantActions tenants;
  private final Users users;

  public UserRoutes(Authentication authentication, TenantActions tenants, Users users) {
    this.authentication = authentication;
    this.tenants = tenants;
    this.users = users;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/admin/users", authentication.require(Scope.USERS_READ, this::own)),
        Route.get(
            "/api/admin/tenants/{tenant}/users",
            authentication.require(Scope.TENANTS_READ, this::ofTenant)));
  }

  private Response own(Request request, Principal principal) {
    return list(request, principal.tenant());
  }

  private Response ofTenant(Request request, Principal principal) {
    return list(
        request,
        tenants
            .find(request.pathParameter("tenant"))
            .map(TenantView::id)
            .orElseThrow(ProblemException::notFound));
  }

  private Response list(Request request, int tenant) {
    int limit = Params.limit(request);
    List<Users.Standing> found =
        users.list(
            tenant, request.query("prefix").orElse(""), request.query("cursor").orElse(""), limit);
    ObjectNode page = JSON.createObjectNode();
    var items = page.putArray("items");
    for (Users.Standing user : found) {
      items
          .addObject()
          .put("user", user.userId())
          .put("balance", user.balance())
          .put("held", user.held())
          .put("live_jobs", user.liveJobs())
          .put("stored_bytes", user.storedBytes())
          .put("created_at", user.createdAt().toString())
          .put("last_seen_at", user.lastSeenAt().toString());
    }
    page.put("next_cursor", found.size() < limit ? null : found.getLast().userId());
    return Response.json(200, page);
  }
}
