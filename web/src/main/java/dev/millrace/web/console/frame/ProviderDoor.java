package dev.millrace.web.console.frame;

import dev.millrace.service.access.Credential;
import dev.millrace.service.identity.ProviderSignIn;
import dev.millrace.service.identity.ProviderSignIn.Beginning;
import dev.millrace.service.identity.ProviderSignIn.Ending;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.limits.RequestRates;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Coming in and going out by an identity provider. What the browser keeps meanwhile is in a cookie
 * of a few minutes, so an answer counts only where it was asked for.
 *
 * <p>Whoever comes from another site has no cookie that is for our own pages alone, also not after
 * being led on. So the way to the page that was wanted begins at a page of ours; and a form may
 * lead nowhere else, so the way to the provider does too.
 */
public final class ProviderDoor {

  private static final String BEGIN = "/console/sign-in/provider";

  /** A cookie must hold it beside the rest. */
  private static final int LONGEST_WAY = 1_000;

  private final PageAccess doors;
  private final RequestRates rates;
  private final @Nullable ProviderSignIn signIn;

  /**
   * @param signIn null if the console is for keys alone
   */
  public ProviderDoor(PageAccess doors, RequestRates rates, @Nullable ProviderSignIn signIn) {
    this.doors = doors;
    this.rates = rates;
    this.signIn = signIn;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(BEGIN, doors.calmly(this::begin)),
        Route.get(ProviderSignIn.CALLBACK, doors.calmly(this::end)));
  }

  /** What the provider is called; empty if there is none. */
  String name() {
    return signIn == null ? "" : signIn.name();
  }

  private ProviderSignIn required() {
    if (signIn == null) {
      throw ProblemException.notFound();
    }
    return signIn;
  }

  private Response begin(Request request) {
    rates.requirePatience(request.remoteAddress());
    String wanted = SignIn.safe(request.query("to").orElse(""));
    String to = wanted.length() > LONGEST_WAY ? SignIn.safe("") : wanted;
    return switch (required().begin(to)) {
      case Beginning.Leads(var provider, String notes) ->
          Html.guarded(Response.redirect(303, provider.toString()))
              .addHeader(
                  "Set-Cookie", doors.sessionCookie().keepNotes(notes, ProviderSignIn.PATIENCE));
      case Beginning.Unavailable() -> {
        rates.countStranger(request.remoteAddress());
        throw unavailable();
      }
    };
  }

  private Response end(Request request) {
    ProviderSignIn open = required();
    rates.requirePatience(request.remoteAddress());
    ProviderSignIn.Answer answer =
        new ProviderSignIn.Answer(
            request.query("state").orElse(null),
            request.query("code").orElse(null),
            request.query("iss").orElse(null),
            request.query("error").orElse(null));
    Ending ending = open.end(answer, doors.sessionCookie().notes(request).orElse(null));
    if (ending instanceof Ending.Entered(String secret, String to)) {
      return onward(request, "Come in", doors.base() + SignIn.safe(to))
          .addHeader("Set-Cookie", doors.sessionCookie().begin(secret, open.session()))
          .addHeader("Set-Cookie", doors.sessionCookie().dropNotes());
    }
    rates.countStranger(request.remoteAddress());
    throw refusal(ending);
  }

  private static ProblemException refusal(Ending ending) {
    return switch (ending) {
      case Ending.Entered _ -> throw new IllegalStateException("nobody refuses who is let in");
      case Ending.Stale() ->
          new ProblemException(
              400,
              "sign_in_stale",
              "This sign-in was begun in another window or browser, or more than ten minutes ago."
                  + " Start again.");
      case Ending.Denied() ->
          new ProblemException(
              403,
              "sign_in_denied",
              "Your identity provider didn't let you in, or you didn't agree. Start again, or sign"
                  + " in with a key.");
      case Ending.NoAccess(String reason) -> new ProblemException(403, "no_access", reason);
      case Ending.Failed() ->
          new ProblemException(
              502,
              "sign_in_failed",
              "Your identity provider refused to finish the sign-in, or answered something that"
                  + " can't be believed. Start again; if that doesn't help, the log of this server"
                  + " says why.");
      case Ending.Unavailable() -> unavailable();
    };
  }

  private static ProblemException unavailable() {
    return new ProblemException(
            503,
            "identity_provider_unavailable",
            "The identity provider can't be reached now. Try again in a minute, or sign in with a"
                + " key.")
        .header("Retry-After", "5");
  }

  /** The way out at the provider, for somebody who came in by it. */
  Optional<Response> wayOut(Visit visit) {
    return signIn == null || visit.principal().credential().kind() != Credential.Kind.IDENTITY
        ? Optional.empty()
        : signIn
            .leave()
            .map(to -> onward(visit.request(), "You are signed out here", to.toString()));
  }

  /** A page of ours that leads on by itself. */
  private Response onward(Request request, String title, String to) {
    Page page = new Page(title, "", doors.base(), Prefs.of(request), null, Notice.NONE);
    return doors
        .html()
        .page(200, "onward", Map.of("page", page, "to", to))
        .header("Refresh", "0; url=" + to);
  }
}
