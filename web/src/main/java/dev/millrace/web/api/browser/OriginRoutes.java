package dev.millrace.web.api.browser;

import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.browsers.Origins;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** From where the pages of a tenant's products may ask. */
public final class OriginRoutes {

  private static final String PATH = "/api/admin/origins";

  private final Authentication authentication;
  private final Origins origins;

  public OriginRoutes(Authentication authentication, Origins origins) {
    this.authentication = authentication;
    this.origins = origins;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(PATH, authentication.require(Scope.ORIGINS_READ, this::list)),
        Route.put(PATH, authentication.require(Scope.ORIGINS_WRITE, this::set)));
  }

  private Response list(Request request, Principal principal) {
    return json(origins.list(principal));
  }

  private Response set(Request request, Principal principal) {
    return json(origins.set(principal, OriginReader.read(request.jsonObject())));
  }

  private static Response json(List<String> origins) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    origins.forEach(json.putArray("origins")::add);
    return Response.json(200, json);
  }
}
