package dev.millrace.web.console.frame;

import dev.millrace.contract.digest.ConstantTime;
import dev.millrace.service.access.Passes;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.http.ClientGoneException;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.RouteHandler;
import dev.millrace.web.limits.Allowance;
import dev.millrace.web.limits.RequestRates;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who comes in: a session for every page, a role, and for every change the CSRF token. */
public final class PageAccess {

  private static final Logger LOG = LoggerFactory.getLogger(PageAccess.class);

  /** Answers a visitor. */
  @FunctionalInterface
  public interface Room {
    Response answer(Visit visit) throws Exception;
  }

  private final Passes passes;
  private final RequestRates rates;
  private final Html html;
  private final @Nullable URI publicUrl;

  public PageAccess(Passes passes, RequestRates rates, Html html, @Nullable URI publicUrl) {
    this.passes = passes;
    this.rates = rates;
    this.html = html;
    this.publicUrl = publicUrl;
  }

  /** The path under which a proxy serves us: that of the public URL. */
  String base() {
    String path = publicUrl == null ? "" : publicUrl.getPath();
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  Cookies cookies() {
    boolean secure = publicUrl != null && "https".equals(publicUrl.getScheme());
    return new Cookies(base() + "/console", secure);
  }

  SessionCookie sessionCookie() {
    return new SessionCookie(cookies(), base());
  }

  public Route page(String template, Scope scope, Room room) {
    return Route.get(template, calmly(request -> enter(request, scope, room)));
  }

  public Route deed(String template, Scope scope, Room room) {
    return Route.post(template, change(scope, room));
  }

  /** For what changes something; the token comes in the form or, from scripts, in a header. */
  public RouteHandler change(Scope scope, Room room) {
    return calmly(request ->
        enter(
            request,
            scope,
            visit -> {
              requireSameSite(request);
              String sent = request.header("x-csrf-token").orElseGet(() -> visit.field("csrf"));
              if (!ConstantTime.equal(sent, visit.csrf())) {
                throw new ProblemException(
                    403,
                    "csrf",
                    "This page is from an earlier session. Go back, load it again and repeat.");
              }
              return room.answer(visit);
            }));
  }

  /** Browsers say where a request comes from; another site's is none of ours. */
  static void requireSameSite(Request request) {
    String site = request.header("sec-fetch-site").orElse("same-origin");
    String origin = request.header("origin").orElse("");
    String host = request.header("host").orElse("");
    boolean foreign =
        !(site.equals("same-origin") || site.equals("none"))
            || (origin.startsWith("http")
                && request.header("sec-fetch-site").isEmpty()
                && !origin.endsWith("//" + host));
    if (foreign) {
      throw new ProblemException(403, "csrf", "This form was sent from another site.");
    }
  }

  /** The visitor, if the request has a good session. */
  public Optional<Visit> visitor(Request request) {
    Optional<String> secret = sessionCookie().value(request);
    return secret
        .flatMap(passes::find)
        .map(principal ->
            new Visit(
                request, principal, base(), Passes.csrf(secret.orElseThrow()), Prefs.of(request)));
  }

  private Response enter(Request request, Scope scope, Room room) throws Exception {
    Optional<Visit> visit = visitor(request);
    if (visit.isEmpty()) {
      return toSignIn(request);
    }
    Principal principal = visit.get().principal();
    Allowance allowance = rates.take(principal);
    if (!allowance.granted()) {
      throw allowance.refusal();
    }
    Authentication.requireScope(principal, scope);
    return room.answer(visit.get());
  }

  private Response toSignIn(Request request) {
    if (request.header("hx-request").isPresent() || !request.method().equals("GET")) {
      throw new ProblemException(401, "unauthenticated", "You are signed out. Sign in again.");
    }
    String query = request.rawQuery();
    String wanted = request.path() + (query.isEmpty() ? "" : "?" + query);
    String to = URLEncoder.encode(wanted, StandardCharsets.UTF_8);
    return Html.guarded(Response.redirect(303, base() + "/console/sign-in?to=" + to));
  }

  /** Whatever goes wrong becomes a page that says what to do. */
  public RouteHandler calmly(RouteHandler handler) {
    return request -> {
      try {
        return handler.handle(request);
      } catch (ProblemException e) {
        return problem(request, e);
      } catch (ClientGoneException | InterruptedException e) {
        throw e;
      } catch (Exception e) {
        Optional<ProblemException> passing = DatabaseProblems.asProblem(e);
        if (passing.isPresent()) {
          return problem(request, passing.get());
        }
        String incident = UUID.randomUUID().toString();
        LOG.error("Incident {} in the console", incident, e);
        return problem(
            request,
            Problem.of(
                500, "internal", "Something went wrong on our side. Incident " + incident + "."));
      }
    };
  }

  /** With the headers of the refusal, such as when to come again. */
  private Response problem(Request request, ProblemException refusal) {
    Response page = problem(request, refusal.problem());
    for (Map.Entry<String, String> header : refusal.headers().entrySet()) {
      page = page.header(header.getKey(), header.getValue());
    }
    return page;
  }

  Response problem(Request request, Problem problem) {
    boolean nobody = problem.status() >= 500 || problem.status() == 421;
    Optional<Visit> visit = nobody ? Optional.empty() : known(request);
    Page page =
        visit
            .map(found -> found.page(problem.title(), ""))
            .orElseGet(
                () -> new Page(problem.title(), "", base(), Prefs.of(request), null, Notice.NONE));
    List<Problem.Violation> errors =
        problem.extra().get("errors") instanceof List<?> list
            ? list.stream()
                .filter(Problem.Violation.class::isInstance)
                .map(Problem.Violation.class::cast)
                .toList()
            : List.of();
    return html.page(
        problem.status(), "problem", Map.of("page", page, "problem", problem, "errors", errors));
  }

  /** The visitor, for a page that must be drawn even if nobody can say who it is. */
  private Optional<Visit> known(Request request) {
    try {
      return visitor(request);
    } catch (RuntimeException e) {
      LOG.warn("Who looks at a problem can't be said now", e);
      return Optional.empty();
    }
  }

  public Html html() {
    return html;
  }
}
