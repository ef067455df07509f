package dev.millrace.web.console.frame;

import dev.millrace.service.access.Passes;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.limits.RequestRates;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Coming in with a key or a link, going out, and how one likes to see things. */
public final class SignIn {

  private static final Duration YEAR = Duration.ofDays(365);

  private final PageAccess doors;
  private final Passes passes;
  private final RequestRates rates;
  private final ProviderDoor provider;

  public SignIn(PageAccess doors, Passes passes, RequestRates rates, ProviderDoor provider) {
    this.doors = doors;
    this.passes = passes;
    this.rates = rates;
    this.provider = provider;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/console/sign-in", doors.calmly(this::form)),
        Route.post("/console/sign-in", doors.calmly(this::signIn)),
        Route.get("/console/link/{secret}", doors.calmly(this::link)),
        Route.post("/console/link/{secret}", doors.calmly(this::useLink)),
        doors.deed("/console/sign-out", Scope.CONSOLE_WRITE, this::signOut),
        doors.deed("/console/preferences", Scope.CONSOLE_WRITE, this::prefer));
  }

  private Response form(Request request) {
    return form(request, request.query("to").orElse(""), 200, "");
  }

  /**
   * The form.
   *
   * @param to where its visitor wanted to go, which a mistyped key must not lose
   */
  private Response form(Request request, String to, int status, String complaint) {
    Page page =
        new Page(
            "Sign in",
            "",
            doors.base(),
            Prefs.of(request),
            null,
            Notice.of(request.query("done").orElse("")));
    return doors
        .html()
        .page(
            status,
            "signin",
            Map.of("page", page, "complaint", complaint, "to", to, "provider", provider.name()));
  }

  private Response signIn(Request request) {
    PageAccess.requireSameSite(request);
    rates.requirePatience(request.remoteAddress());
    String key = first(request, "key");
    Optional<String> secret = passes.withKey(key);
    if (secret.isEmpty()) {
      rates.countStranger(request.remoteAddress());
      return form(request, first(request, "to"), 401, "This key is unknown, mistyped or revoked.");
    }
    return entered(secret.get(), safe(first(request, "to")));
  }

  private Response link(Request request) {
    Optional<Principal> who = passes.behindLink(request.pathParameter("secret"));
    if (who.isEmpty()) {
      return doors.problem(request, used());
    }
    Page page = new Page("Sign in", "", doors.base(), Prefs.of(request), null, Notice.NONE);
    return doors
        .html()
        .page(
            200,
            "link",
            Map.of("page", page, "who", who.get(), "secret", request.pathParameter("secret")));
  }

  private Response useLink(Request request) {
    PageAccess.requireSameSite(request);
    return passes
        .withLink(request.pathParameter("secret"))
        .map(secret -> entered(secret, "/console"))
        .orElseThrow(() -> new ProblemException(used()));
  }

  private static Problem used() {
    return Problem.of(
        410,
        "link_used",
        "This link was used or is too old. Sign in with a key; ./millrace signin prints a new"
            + " link.");
  }

  private Response entered(String secret, String to) {
    return Html.guarded(Response.redirect(303, doors.base() + to))
        .addHeader("Set-Cookie", doors.sessionCookie().begin(secret, Passes.SESSION));
  }

  private Response signOut(Visit visit) {
    SessionCookie cookie = doors.sessionCookie();
    cookie.all(visit.request()).forEach(passes::end);
    Response out =
        provider
            .wayOut(visit)
            .orElseGet(() -> Html.guarded(visit.to("/console/sign-in?done=signed-out")));
    for (String line : cookie.end()) {
      out = out.addHeader("Set-Cookie", line);
    }
    return out;
  }

  private Response prefer(Visit visit) {
    Prefs wanted = new Prefs(visit.field("theme"), visit.field("zone"));
    Response back = Html.guarded(visit.to(safe(visit.field("back"))));
    Cookies cookies = doors.cookies();
    if (!visit.field("theme").isEmpty()) {
      back = back.addHeader("Set-Cookie", cookies.set(Prefs.THEME_COOKIE, wanted.theme(), YEAR));
    }
    if (!visit.field("zone").isEmpty()) {
      back = back.addHeader("Set-Cookie", cookies.set(Prefs.ZONE_COOKIE, wanted.zone(), YEAR));
    }
    return back;
  }

  private static String first(Request request, String name) {
    List<String> values = request.form().getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.getFirst();
  }

  /** Only to pages of ours: a form's field must not lead elsewhere. */
  public static String safe(String to) {
    return to.matches("/console(/[A-Za-z0-9._~/-]*)?(\\?[A-Za-z0-9._~=&%+:;,@!$*()/?'>-]*)?")
        ? to
        : "/console";
  }
}
