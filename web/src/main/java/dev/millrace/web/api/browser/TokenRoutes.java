package dev.millrace.web.api.browser;

import dev.millrace.postgres.tenants.UserTokenView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.browsers.TokenActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Short-lived tokens that a product's backend makes for its users. */
public final class TokenRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String PATH = "/api/user-tokens";

  private final Authentication authentication;
  private final TokenActions tokens;

  public TokenRoutes(Authentication authentication, TokenActions tokens) {
    this.authentication = authentication;
    this.tokens = tokens;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(PATH, authentication.require(Scope.TOKENS_READ, this::list)),
        Route.post(PATH, authentication.require(Scope.TOKENS_WRITE, this::mint)),
        Route.delete(PATH + "/{id}", authentication.require(Scope.TOKENS_WRITE, this::end)));
  }

  private Response list(Request request, Principal principal) {
    int limit = Params.limit(request);
    List<UserTokenView> found = tokens.list(principal, Params.cursor(request), limit);
    ObjectNode page = JSON.createObjectNode();
    var items = page.putArray("items");
    found.forEach(token -> items.add(json(token)));
    page.put("next_cursor", found.size() < limit ? null : found.getLast().id().toString());
    return Response.json(200, page);
  }

  private Response mint(Request request, Principal principal) {
    return switch (tokens.mint(principal, TokenWish.read(request.jsonObject(), principal))) {
      case TokenActions.Minting.Minted(UserTokenView token, String secret) ->
          Response.json(201, json(token).put("token", secret)).header("Cache-Control", "no-store");
      case TokenActions.Minting.NoKey() ->
          throw new ProblemException(
              403, "forbidden", "Only an API key makes tokens, which end with it.");
      case TokenActions.Minting.MoreThanOwn() ->
          throw new ProblemException(
              403, "forbidden", "A token can't have more rights than the key that makes it.");
    };
  }

  private Response end(Request request, Principal principal) {
    if (!tokens.end(principal, Params.id(request))) {
      throw ProblemException.notFound();
    }
    return Response.empty(204);
  }

  private static ObjectNode json(UserTokenView token) {
    UserTokenView.Bounds bounds = token.bounds();
    ObjectNode json =
        JSON.createObjectNode()
            .put("id", token.id().toString())
            .put("prefix", token.prefix())
            .put("key_id", token.keyId().toString())
            .put("user", bounds.userId())
            .put("workspace", bounds.workspace());
    if (bounds.effects() == null) {
      json.putNull("effects");
    } else {
      bounds.effects().forEach(json.putArray("effects")::add);
    }
    bounds.scopes().forEach(json.putArray("scopes")::add);
    return json.put("jobs", token.jobs().mostJobs())
        .put("jobs_used", token.jobs().usedJobs())
        .put("created_at", token.times().createdAt().toString())
        .put("ends_at", JobJson.text(token.times().endsAt()));
  }
}
