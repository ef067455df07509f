package dev.millrace.web.access;

import dev.millrace.service.access.BearerKind;
import dev.millrace.service.access.BearerKind.Finding;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.access.Scope;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.RouteHandler;
import dev.millrace.web.limits.Allowance;
import dev.millrace.web.limits.RequestRates;
import java.util.List;
import java.util.Optional;

/** Turns what a request shows into a principal, or refuses. */
public final class Authentication {

  /** A handler that knows who is asking. */
  @FunctionalInterface
  public interface Authenticated {
    Response handle(Request request, Principal principal) throws Exception;
  }

  private static final String SCHEME = "bearer ";
  private static final String NOTHING_SHOWN = "Send your API key as: Authorization: Bearer mr_...";

  private final List<BearerKind> kinds;
  private final RequestRates rates;

  /**
   * @param kinds what may be shown; the first one that a text fits is asked, and none else
   */
  public Authentication(List<BearerKind> kinds, RequestRates rates) {
    this.kinds = List.copyOf(kinds);
    this.rates = rates;
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
          "This tenant is suspended. What it asked for before still runs; ask who runs this"
              + " server.");
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

  /** Who shows this text, if it is one that lets somebody in. */
  private Principal identify(Request request) {
    Finding finding =
        bearer(request).map(this::look).orElseGet(() -> new Finding.Refused(NOTHING_SHOWN));
    return switch (finding) {
      case Finding.Known(Principal principal) -> principal;
      case Finding.Refused(String reason) -> {
        rates.requirePatience(request.remoteAddress());
        rates.countStranger(request.remoteAddress());
        throw unauthenticated(reason);
      }
    };
  }

  static Optional<String> bearer(Request request) {
    return request
        .header("authorization")
        .filter(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
        .map(header -> header.substring(SCHEME.length()).strip());
  }

  private Finding look(String text) {
    for (BearerKind kind : kinds) {
      if (kind.fits(text)) {
        return kind.find(text);
      }
    }
    throw new IllegalStateException("No kind takes what no other takes");
  }

  private static ProblemException unauthenticated(String detail) {
    return new ProblemException(401, "unauthenticated", detail)
        .header("WWW-Authenticate", "Bearer");
  }
}
