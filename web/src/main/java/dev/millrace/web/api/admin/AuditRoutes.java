package dev.millrace.web.api.admin;

import dev.millrace.postgres.tenants.Audit;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.access.Scope;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Who did what with which right. */
public final class AuditRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Authentication authentication;
  private final Audit audit;

  public AuditRoutes(Authentication authentication, Audit audit) {
    this.authentication = authentication;
    this.audit = audit;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/admin/audit", authentication.require(Scope.AUDIT_READ, this::list)));
  }

  private Response list(Request request, Principal principal) {
    int limit = Params.limit(request);
    List<Audit.Written> lines =
        audit.list(
            new Audit.Filter(
                principal.tenant(),
                principal.role() == Role.OPERATOR,
                request.query("action").orElse(null),
                request.query("target").orElse(null),
                Params.numberCursor(request),
                limit));
    ObjectNode page = JSON.createObjectNode();
    var items = page.putArray("items");
    lines.forEach(line -> items.add(json(line)));
    page.put("next_cursor", lines.size() < limit ? null : Long.toString(lines.getLast().id()));
    return Response.json(200, page);
  }

  private static ObjectNode json(Audit.Written line) {
    ObjectNode json =
        JSON.createObjectNode()
            .put("id", line.id())
            .put("at", line.at().toString())
            .put("actor", line.actor())
            .put("action", line.action())
            .put("target", line.target());
    json.set("detail", line.detail() == null ? JSON.nullNode() : JSON.readTree(line.detail()));
    return json;
  }
}
