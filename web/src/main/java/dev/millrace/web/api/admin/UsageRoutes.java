package dev.millrace.web.api.admin;

import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.files.StorageQuota;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** How much a user and a tenant have stored, and how much they may. */
public final class UsageRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Authentication authentication;
  private final StorageQuota storage;

  public UsageRoutes(Authentication authentication, StorageQuota storage) {
    this.authentication = authentication;
    this.storage = storage;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/usage", authentication.require(Scope.WALLET_READ, this::ofUser)),
        Route.get("/api/admin/usage", authentication.require(Scope.USERS_READ, this::ofTenant)));
  }

  private Response ofUser(Request request, Principal principal) {
    String user = Params.user(request, principal);
    return Response.json(200, json(user, storage.ofUser(principal.tenant(), user)));
  }

  private Response ofTenant(Request request, Principal principal) {
    ObjectNode json = JSON.createObjectNode();
    json.put("tenant", principal.tenantSlug());
    json.set("storage", level(storage.ofTenant(principal.tenant())));
    var users = json.putArray("largest_users");
    storage
        .largest(principal.tenant(), Params.limit(request))
        .forEach(holder -> users.add(json(holder.user(), holder.level())));
    return Response.json(200, json);
  }

  private static ObjectNode json(String user, StorageQuota.Level level) {
    ObjectNode json = JSON.createObjectNode();
    json.put("user", user);
    json.set("storage", level(level));
    return json;
  }

  private static ObjectNode level(StorageQuota.Level level) {
    ObjectNode json = JSON.createObjectNode();
    json.put("used_bytes", level.used());
    if (level.limit() > 0) {
      json.put("limit_bytes", level.limit());
    } else {
      json.putNull("limit_bytes");
    }
    return json.put("full", level.full());
  }
}
