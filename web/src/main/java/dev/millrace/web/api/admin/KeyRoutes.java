package dev.millrace.web.api.admin;

import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.service.access.ApiKeys;
import dev.millrace.service.access.Bounds;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The keys of a tenant, and what one's own key is. */
public final class KeyRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String PATH = "/api/admin/keys";
  private static final long USUAL_OVERLAP = Duration.ofDays(1).toSeconds();
  private static final long LONGEST_OVERLAP = Duration.ofDays(90).toSeconds();

  private final Authentication authentication;
  private final ApiKeys keys;

  public KeyRoutes(Authentication authentication, ApiKeys keys) {
    this.authentication = authentication;
    this.keys = keys;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/whoami", authentication.requireAny(this::whoami)),
        Route.get(PATH, authentication.require(Scope.KEYS_READ, this::list)),
        Route.post(PATH, authentication.require(Scope.KEYS_WRITE, this::create)),
        Route.post(PATH + "/{id}/rotate", authentication.require(Scope.KEYS_WRITE, this::rotate)),
        Route.delete(PATH + "/{id}", authentication.require(Scope.KEYS_WRITE, this::revoke)));
  }

  private Response whoami(Request request, Principal principal) {
    Bounds bounds = principal.bounds();
    ObjectNode json =
        JSON.createObjectNode()
            .put("tenant", principal.tenantSlug())
            .put("role", principal.role().label())
            .put("user", principal.user())
            .put("workspace", bounds.workspace());
    texts(
        json,
        "effects",
        bounds.effects() == null ? null : bounds.effects().stream().sorted().toList());
    texts(
        json,
        "scopes",
        Scope.of(principal.role()).stream().filter(bounds::allow).map(Scope::label).toList());
    return Response.json(200, json.put("key_prefix", principal.credential().label()));
  }

  private Response list(Request request, Principal principal) {
    ObjectNode page = JSON.createObjectNode();
    var items = page.putArray("items");
    keys.list(principal.tenant()).forEach(key -> items.add(json(key)));
    return Response.json(200, page);
  }

  private Response create(Request request, Principal principal) {
    return made(keys.create(principal, KeyWish.read(request.jsonObject())));
  }

  /**
   * A new key with the same rights; the old one works on for a while, so that nobody is cut off.
   */
  private Response rotate(Request request, Principal principal) {
    Body body = Body.ofOptional(request, "overlap_seconds");
    JsonNode given = body.raw("overlap_seconds");
    long overlap =
        given == null || given.isNull()
            ? USUAL_OVERLAP
            : body.number("overlap_seconds", 0, LONGEST_OVERLAP);
    body.requireGood();
    return made(
        keys.rotate(principal, Params.id(request), Duration.ofSeconds(overlap))
            .orElseThrow(ProblemException::notFound));
  }

  private static Response made(ApiKeys.Creation creation) {
    ApiKeys.Creation.Made made = Refusals.requireMade(creation);
    return Response.json(201, json(made.key()).put("secret", made.secret()))
        .header("Cache-Control", "no-store");
  }

  private Response revoke(Request request, Principal principal) {
    if (!keys.revoke(principal, Params.id(request))) {
      throw ProblemException.notFound();
    }
    return Response.empty(204);
  }

  private static ObjectNode json(KeyView key) {
    ObjectNode json =
        JSON.createObjectNode()
            .put("id", key.id().toString())
            .put("name", key.name())
            .put("prefix", key.prefix())
            .put("role", key.role())
            .put("user", key.bounds().userId())
            .put("workspace", key.bounds().workspace());
    texts(json, "effects", key.bounds().effects());
    texts(json, "scopes", key.bounds().scopes());
    return json.put("created_at", key.times().createdAt().toString())
        .put("last_used_at", JobJson.text(key.times().lastUsedAt()))
        .put("ends_at", JobJson.text(key.times().endsAt()))
        .put("revoked_at", JobJson.text(key.times().revokedAt()))
        .put("replaced_by", JobJson.text(key.times().replacedBy()));
  }

  private static void texts(ObjectNode json, String name, @Nullable Collection<String> texts) {
    if (texts == null) {
      json.putNull(name);
    } else {
      var list = json.putArray(name);
      texts.forEach(list::add);
    }
  }
}
