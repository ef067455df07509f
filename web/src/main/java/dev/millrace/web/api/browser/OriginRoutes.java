package dev.millrace.web.api.browser;

import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.browsers.OriginPattern;
import dev.millrace.service.browsers.Origins;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** From where the pages of a tenant's products may ask. */
public final class OriginRoutes {

  private static final String PATH = "/api/admin/origins";
  private static final int MOST_SHOWN = 100;

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
    return json(origins.set(principal, read(request.jsonObject())));
  }

  /** The origins that a request or a form names, or what is wrong with them. */
  public static List<String> read(ObjectNode fields) {
    Body body = Body.of(fields, "origins");
    @Nullable JsonNode given = body.raw("origins");
    List<String> good = new ArrayList<>();
    if (given == null || !given.isArray()) {
      body.wrong("origins", "must be a list of origins, which may be empty");
    } else {
      for (int i = 0; i < given.size() && i < MOST_SHOWN; i++) {
        Optional<String> origin = OriginPattern.parse(given.path(i).asString(""));
        origin.ifPresent(good::add);
        if (origin.isEmpty()) {
          body.wrong("origins/" + i, OriginPattern.LAW);
        }
      }
      if (given.size() > Origins.MOST) {
        body.wrong("origins", "must be at most " + Origins.MOST);
      }
    }
    body.requireGood();
    return good;
  }

  private static Response json(List<String> origins) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    origins.forEach(json.putArray("origins")::add);
    return Response.json(200, json);
  }
}
