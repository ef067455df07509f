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
import java.util.function.BiFunction;
import java.util.function.Function;

/** Turns what a request shows into a principal, or refuses. */
public final class Authentication {

  /** A handler that knows who is asking. */
  @FunctionalInterface
  public interface Authenticated {
    Response handle(Request request, Principal principal) throws Exception;
  }

  private static final String RETRY_SECONDS = "5";

  /** Older clients of Replicate say the second. */
  private static final List<String> SCHEMES = List.of("bearer ", "token ");

  private static final String NOTHING_SHOWN = "Send your API key as: Authorization: Bearer mr_...";

  private final List<BearerKind> kinds;
  private final RequestRates rates;
  private final Pages pages;

  /** Who takes tickets: the ticket and the path that it is shown for, and who shows it. */
  public interface TicketTaker extends BiFunction<String, String, Optional<Principal>> {}

  /** What pages of browsers need: origins that are allowed, and tickets for streams. */
  public record Pages(CrossOrigins origins, TicketTaker tickets) {}

  /** For a server that no page of another origin asks. */
  public Authentication(List<BearerKind> kinds, RequestRates rates) {
    this(
        kinds,
        rates,
        new Pages(new CrossOrigins(CrossOrigins.Rules.NONE, null), (_, _) -> Optional.empty()));
  }

  /**
   * @param kinds what may be shown; the first one that a text fits is asked, and none else
   */
  public Authentication(List<BearerKind> kinds, RequestRates rates, Pages pages) {
    this.kinds = List.copyOf(kinds);
    this.rates = rates;
    this.pages = pages;
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
    return requireAny(scoped(scope, handler));
  }

  /** The same for a stream, which a ticket opens too. */
  public RouteHandler requireOrTicket(Scope scope, Authenticated handler) {
    return guarded(
        request ->
            request
                .query("ticket")
                .map(ticket -> behind(ticket, request))
                .orElseGet(() -> identify(request)),
        scoped(scope, handler));
  }

  /** The handler, for everybody who is let in and doesn't ask too often. */
  public RouteHandler requireAny(Authenticated handler) {
    return guarded(this::identify, handler);
  }

  private static Authenticated scoped(Scope scope, Authenticated handler) {
    return (request, principal) -> {
      requireScope(principal, scope);
      return handler.handle(request, principal);
    };
  }

  private RouteHandler guarded(Function<Request, Principal> identify, Authenticated handler) {
    return request -> {
      Principal principal = identify.apply(request);
      Allowance allowance = rates.take(principal);
      CrossOrigins.Page page = pages.origins().page(request, principal.tenantSlug());
      try {
        if (!allowance.granted()) {
          throw allowance.refusal();
        }
        page.requireAllowed(principal);
        requireLetIn(principal);
        return page.on(allowance.on(handler.handle(request, principal)));
      } catch (ProblemException e) {
        throw page.on(allowance.on(e));
      }
    };
  }

  /** Who has this ticket, which is used up with this. */
  private Principal behind(String ticket, Request request) {
    return pages
        .tickets()
        .apply(ticket, request.path())
        .orElseThrow(() -> {
          countStranger(request);
          return new ProblemException(
              401,
              "bad_ticket",
              "This ticket was used, is too old, or is for another stream. Get a new one with POST"
                  + " /api/tickets, and go on with after_id.");
        });
  }

  private void countStranger(Request request) {
    rates.requirePatience(request.remoteAddress());
    rates.countStranger(request.remoteAddress());
  }

  /** Who shows this text, if it is one that lets somebody in. */
  private Principal identify(Request request) {
    Finding finding =
        bearer(request).map(this::look).orElseGet(() -> new Finding.Refused(NOTHING_SHOWN));
    return switch (finding) {
      case Finding.Known(Principal principal) -> principal;
      case Finding.Refused(String reason) -> {
        countStranger(request);
        throw unauthenticated(reason);
      }
      case Finding.BadToken(String reason) -> {
        countStranger(request);
        throw new ProblemException(401, "invalid_token", reason)
            .header("WWW-Authenticate", challenge("invalid_token", reason));
      }
      case Finding.NoAccess(String reason) -> {
        countStranger(request);
        throw new ProblemException(403, "no_access", reason);
      }
      case Finding.Unsure() -> {
        countStranger(request);
        throw new ProblemException(
                503,
                "identity_provider_unavailable",
                "The issuer of this token can't be asked for its keys now. Try again; API keys work"
                    + " meanwhile.")
            .header("Retry-After", RETRY_SECONDS);
      }
    };
  }

  /** As RFC 6750 has it; the reason is one of ours. */
  private static String challenge(String error, String reason) {
    return "Bearer error=\"%s\", error_description=\"%s\"".formatted(error, reason);
  }

  static Optional<String> bearer(Request request) {
    return request
        .header("authorization")
        .flatMap(header ->
            SCHEMES.stream()
                .filter(scheme -> header.regionMatches(true, 0, scheme, 0, scheme.length()))
                .findFirst()
                .map(scheme -> header.substring(scheme.length()).strip()));
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
