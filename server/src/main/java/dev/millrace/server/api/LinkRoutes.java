package dev.millrace.server.api;

import dev.millrace.server.auth.Authentication;
import dev.millrace.server.auth.Passes;
import dev.millrace.server.auth.Principal;
import dev.millrace.server.auth.Role;
import dev.millrace.server.http.Request;
import dev.millrace.server.http.Response;
import dev.millrace.server.http.Route;
import java.time.InstantSource;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** A link to the console for whoever has a key and would rather not type it there. */
final class LinkRoutes {

  private final Authentication authentication;
  private final Passes passes;
  private final PublicUrl publicUrl;
  private final InstantSource clock;

  LinkRoutes(
      Authentication authentication, Passes passes, PublicUrl publicUrl, InstantSource clock) {
    this.authentication = authentication;
    this.passes = passes;
    this.publicUrl = publicUrl;
    this.clock = clock;
  }

  List<Route> routes() {
    return List.of(Route.post("/api/console/links", authentication.require(Role.USER, this::make)));
  }

  private Response make(Request request, Principal principal) {
    Body.ofOptional(request).requireGood();
    String base = publicUrl.of(request).toString().replaceAll("/+$", "");
    return Response.json(
            201,
            JsonMapper.shared()
                .createObjectNode()
                .put("url", base + Passes.path(passes.linkFor(principal)))
                .put("expires_at", clock.instant().plus(Passes.LINK).toString()))
        .header("Cache-Control", "no-store");
  }
}
