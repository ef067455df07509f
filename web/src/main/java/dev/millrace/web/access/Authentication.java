package dev.millrace.web.access;

import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import dev.millrace.postgres.tenants.Tenants;
import dev.millrace.service.access.ApiKey;
import dev.millrace.service.access.LastUses;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.access.Scope;
import dev.millrace.service.access.SharedLookups;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.RouteHandler;
import dev.millrace.web.limits.Allowance;
import dev.millrace.web.limits.RequestRates;
import java.time.Duration;
import java.util.Optional;

/** Turns a bearer key into a principal, or refuses. */
public final class Authentication {

  /** A handler that knows who is asking. */
  @FunctionalInterface
  public interface Authenticated {
    Response handle(Request request, Principal principal) throws Exception;
  }

  /** As long as a revoked key may still work. */
  private static final Duration MEMORY = Duration.ofSeconds(5);

  /** As long as a good key is let through although others show bad ones from its address. */
  private static final int MOST_REMEMBERED = 10_000;

  private static final String SCHEME = "bearer ";

  private final Keys keys;
  private final Tenants tenants;
  private final LastUses uses;
  private final SharedLookups<Optional<Principal>> known;
  private final RequestRates rates;

  public Authentication(Keys keys, Tenants tenants, LastUses uses, RequestRates rates) {
    this.keys = keys;
    this.tenants = tenants;
    this.uses = uses;
    this.rates = rates;
    this.known = new SharedLookups<>(MEMORY, MOST_REMEMBERED, this::look);
  }

  /** Refuses whoever may not do this. */
  public static void requireScope(Principal principal, Scope scope) {
    requireLetIn(principal);
    if (!principal.role().includes(scope.least())) {
      throw new ProblemException(
          403, "forbidden", "This needs a key with the role " + scope.least().label() + ".");
    }
    if (!principal.may(scope)) {
      throw new ProblemException(
          403, "forbidden", "This needs a key with the scope " + scope.label() + ".");
    }
  }

  /** A suspended tenant is shut out, but for the operator who may let it in again. */
  private static void requireLetIn(Principal principal) {
    if (principal.home().suspended() && principal.role() != Role.OPERATOR) {
      throw new ProblemException(
          403,
          "tenant_suspended",
          "This tenant is suspended. What it asked for before still runs; ask who runs this server.");
    }
  }

  /** The handler, for those who have this scope and don't ask too often. */
  public RouteHandler require(Scope scope, Authenticated handler) {
    return requireAny((request, principal) -> {
      requireScope(principal, scope);
      return handler.handle(request, principal);
    });
  }

  /** The handler, for everybody who is let in and doesn't ask too often. */
  public RouteHandler requireAny(Authenticated handler) {
    return request -> {
      Principal principal = identify(request);
      Allowance allowance = rates.take(principal.credential().id());
      if (!allowance.granted()) {
        throw allowance.refusal();
      }
      try {
        requireLetIn(principal);
        return allowance.on(handler.handle(request, principal));
      } catch (ProblemException e) {
        throw allowance.on(e);
      }
    };
  }

  /** Whose key this is, if it is one of ours and alive. */
  private Principal identify(Request request) {
    Optional<String> text = bearer(request);
    Optional<String> hash = text.flatMap(ApiKey::parse).map(ApiKey::hash);
    return hash.flatMap(known::get)
        .orElseThrow(() -> {
          rates.requirePatience(request.remoteAddress());
          rates.countStranger(request.remoteAddress());
          return unauthenticated(
              text.isEmpty()
                  ? "Send your API key as: Authorization: Bearer mr_..."
                  : "This API key is unknown, mistyped or revoked.");
        });
  }

  private static Optional<String> bearer(Request request) {
    return request
        .header("authorization")
        .filter(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
        .map(header -> header.substring(SCHEME.length()).strip());
  }

  private Optional<Principal> look(String hash) {
    Optional<KeyView> found = keys.find(hash);
    found.ifPresent(key -> uses.ofKey(key.tenantId(), key.id()));
    return found.map(key -> Principal.of(key, tenants.get(key.tenantId())));
  }

  private static ProblemException unauthenticated(String detail) {
    return new ProblemException(401, "unauthenticated", detail)
        .header("WWW-Authenticate", "Bearer");
  }
}
