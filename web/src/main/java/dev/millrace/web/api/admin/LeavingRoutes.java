package dev.millrace.web.api.admin;

import dev.millrace.postgres.removal.TenantContents;
import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.service.Services;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.tenants.TenantJson;
import dev.millrace.service.tenants.TenantRemoval;
import dev.millrace.service.tenants.TenantRemoval.Obstacle;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A tenant that leaves: all that it has, and its removal. For operators. */
public final class LeavingRoutes {

  private static final String ONE = "/api/admin/tenants/{tenant}";

  private final Authentication authentication;
  private final Services.ForTenants tenants;

  public LeavingRoutes(Authentication authentication, Services.ForTenants tenants) {
    this.authentication = authentication;
    this.tenants = tenants;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(ONE + "/export", authentication.require(Scope.TENANTS_WRITE, this::export)),
        Route.post(ONE + "/remove", authentication.require(Scope.TENANTS_WRITE, this::remove)));
  }

  private Response export(Request request, Principal principal) {
    Body body = Body.ofOptional(request, "objects");
    boolean objects = body.flag("objects", false);
    body.requireGood();
    return TenantAnswers.archive(tenants, principal, slug(request), objects);
  }

  private Response remove(Request request, Principal principal) {
    Body body = Body.ofOptional(request, "receipt", "without_export", "dry_run");
    @Nullable String receipt = body.textOrNull("receipt");
    boolean without = body.flag("without_export", false);
    boolean dryRun = body.flag("dry_run", false);
    if (receipt != null && without) {
      body.wrong("without_export", "must not be true where there is a receipt of an export");
    }
    body.requireGood();
    TenantRemoval.Wish wish = new TenantRemoval.Wish(receipt, without);
    return dryRun ? plan(slug(request), wish) : begin(principal, slug(request), wish);
  }

  private Response plan(String slug, TenantRemoval.Wish wish) {
    TenantRemoval.Plan plan =
        tenants.removal().plan(slug, wish).orElseThrow(ProblemException::notFound);
    TenantContents.Use use = plan.use();
    ObjectNode json = JsonMapper.shared().createObjectNode().put("dry_run", true);
    json.putObject("would_remove")
        .put("users", use.users())
        .put("balance", use.balance())
        .put("live_jobs", use.liveJobs())
        .put("held", use.held())
        .put("stored_bytes", use.storedBytes())
        .put("jobs", plan.counts().jobs())
        .put("files", plan.counts().files())
        .put("keys", plan.counts().keys())
        .put("webhooks", plan.counts().webhooks());
    json.put("obstacle", plan.obstacle().map(Obstacle::code).orElse(null));
    return Response.json(200, json);
  }

  private Response begin(Principal by, String slug, TenantRemoval.Wish wish) {
    TenantAnswers.requireBegun(tenants.removal().begin(by, slug, wish));
    TenantView tenant = tenants.actions().find(slug).orElseThrow(ProblemException::notFound);
    return Response.json(202, TenantJson.of(tenant));
  }

  private static String slug(Request request) {
    return request.pathParameter("tenant");
  }
}
