package dev.millrace.web.api.admin;

import dev.millrace.postgres.removal.TenantContents;
import dev.millrace.postgres.tenants.TenantView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.access.TenantActions;
import dev.millrace.service.tenants.TenantJson;
import dev.millrace.service.tenants.TenantRemoval;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The customers, for the operator. */
public final class TenantRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String PATH = "/api/admin/tenants";
  private static final String ONE = PATH + "/{tenant}";

  private final Authentication authentication;
  private final TenantActions tenants;
  private final TenantRemoval removal;

  public TenantRoutes(Authentication authentication, TenantActions tenants, TenantRemoval removal) {
    this.authentication = authentication;
    this.tenants = tenants;
    this.removal = removal;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(PATH, authentication.require(Scope.TENANTS_READ, this::list)),
        Route.post(PATH, authentication.require(Scope.TENANTS_WRITE, this::make)),
        Route.get(ONE, authentication.require(Scope.TENANTS_READ, this::show)),
        Route.put(ONE + "/limits", authentication.require(Scope.TENANTS_WRITE, this::limit)),
        Route.post(ONE + "/suspend", authentication.require(Scope.TENANTS_WRITE, this::suspend)),
        Route.post(ONE + "/resume", authentication.require(Scope.TENANTS_WRITE, this::resume)));
  }

  private Response list(Request request, Principal principal) {
    int limit = Params.limit(request);
    List<TenantView> found =
        tenants.list(
            request.query("search").orElse(null), request.query("cursor").orElse(null), limit);
    ObjectNode page = JSON.createObjectNode();
    var items = page.putArray("items");
    found.forEach(tenant -> items.add(TenantJson.of(tenant)));
    page.put("next_cursor", found.size() < limit ? null : found.getLast().slug());
    return Response.json(200, page);
  }

  private Response make(Request request, Principal principal) {
    TenantReader.NewTenant wanted = TenantReader.newTenant(request.jsonObject());
    TenantActions.Made made =
        tenants.make(principal, wanted.slug(), wanted.name()).orElseThrow(TenantAnswers::exists);
    return Response.json(201, TenantJson.of(made.tenant()).put("admin_key", made.secret()))
        .header("Location", PATH + "/" + made.tenant().slug())
        .header("Cache-Control", "no-store");
  }

  private Response show(Request request, Principal principal) {
    TenantView tenant = tenants.find(slug(request)).orElseThrow(ProblemException::notFound);
    TenantContents.Use use = removal.use(tenant.id());
    ObjectNode json = TenantJson.of(tenant);
    json.putObject("use")
        .put("users", use.users())
        .put("balance", use.balance())
        .put("live_jobs", use.liveJobs())
        .put("held", use.held())
        .put("stored_bytes", use.storedBytes());
    return Response.json(200, json);
  }

  private Response limit(Request request, Principal principal) {
    TenantView.Limits wanted = TenantReader.limits(request.jsonObject());
    return answer(slug(request), tenants.limit(principal, slug(request), wanted));
  }

  private Response suspend(Request request, Principal principal) {
    Body.ofOptional(request).requireGood();
    return answer(slug(request), tenants.suspend(principal, slug(request)));
  }

  private Response resume(Request request, Principal principal) {
    Body.ofOptional(request).requireGood();
    return answer(slug(request), tenants.resume(principal, slug(request)));
  }

  private static String slug(Request request) {
    return request.pathParameter("tenant");
  }

  private Response answer(String slug, Optional<TenantView> changed) {
    return changed
        .map(tenant -> Response.json(200, TenantJson.of(tenant)))
        .orElseThrow(() -> TenantAnswers.unchanged(tenants, slug));
  }
}
