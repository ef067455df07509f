package dev.millrace.web.console.frame;

import dev.millrace.service.access.Scope;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Shows a new secret once, on a page of its own. The form that made it leads there, so that loading
 * the page again makes no other. The secret travels in a cookie which that page takes away: any
 * node can show it, and none has to keep it.
 */
public final class OneTimeSecrets {

  private static final String COOKIE = "millrace_shown_once";
  private static final String PATH = "/console/shown-once";
  private static final Duration LIFE = Duration.ofMinutes(2);
  private static final JsonMapper JSON = JsonMapper.shared();

  private final PageAccess doors;

  public OneTimeSecrets(PageAccess doors) {
    this.doors = doors;
  }

  public List<Route> routes() {
    return List.of(doors.page(PATH, Scope.CONSOLE_WRITE, this::show));
  }

  private Cookies cookies() {
    return new Cookies(doors.base() + PATH, doors.cookies().secure());
  }

  /**
   * Leads to the page.
   *
   * @param section of the navigation
   * @param what it is, in words
   * @param back where to go from there
   */
  public Response lead(
      Visit visit, String title, String section, String what, String secret, String back) {
    byte[] json =
        JSON.writeValueAsBytes(
            Map.of(
                "title", title, "section", section, "what", what, "secret", secret, "back", back));
    String value = Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    return Html.guarded(visit.to(PATH)).addHeader("Set-Cookie", cookies().set(COOKIE, value, LIFE));
  }

  private Response show(Visit visit) {
    Optional<JsonNode> told = Cookies.value(visit.request(), COOKIE).flatMap(OneTimeSecrets::read);
    if (told.isEmpty()) {
      return doors
          .html()
          .page(200, "shownBefore", Map.of("page", visit.page("Shown once", "keys")));
    }
    JsonNode json = told.get();
    return doors
        .html()
        .page(
            200,
            "secret",
            Map.of(
                "page",
                visit.page(json.path("title").asString(""), json.path("section").asString("")),
                "what",
                json.path("what").asString(""),
                "secret",
                json.path("secret").asString(""),
                "back",
                SignIn.safe(json.path("back").asString(""))))
        .addHeader("Set-Cookie", cookies().clear(COOKIE));
  }

  private static Optional<JsonNode> read(String value) {
    try {
      byte[] json = Base64.getUrlDecoder().decode(value.getBytes(StandardCharsets.US_ASCII));
      return Optional.of(JSON.readTree(json)).filter(JsonNode::isObject);
    } catch (IllegalArgumentException | JacksonException _) {
      return Optional.empty();
    }
  }
}
