package dev.millrace.web.api.admin;

import dev.millrace.service.access.Passes;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.InstantSource;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** A link to the console for whoever has a key and would rather not type it there. */
public final class LinkRoutes {

  private final Authentication authentication;
  private final Passes passes;
  private final PublicUrl publicUrl;
  private final InstantSource clock;

  public LinkRoutes(
      Authentication authentication, Passes passes, PublicUrl publicUrl, InstantSource clock) {
    this.authentication = authentication;
    this.passes = passes;
    this.publicUrl = publicUrl;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/console/links", authentication.require(Scope.CONSOLE_WRITE, this::make)));
  }

  private Response make(Request request, Principal principal) {
    Body.ofOptional(request).requireGood();
    String secret =
        passes
            .linkFor(principal)
            .orElseThrow(() ->
                new ProblemException(
                    403,
                    "forbidden",
                    "Only an API key makes links, which end with it. Sign in at /console/sign-in."));
    String base = publicUrl.of(request).toString().replaceAll("/+$", "");
    return Response.json(
            201,
            JsonMapper.shared()
                .createObjectNode()
                .put("url", base + Passes.path(secret))
                .put("expires_at", clock.instant().plus(Passes.LINK).toString()))
        .header("Cache-Control", "no-store");
  }
}
