package dev.millrace.web.console.frame;

import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One request of somebody who is signed in.
 *
 * @param base the path under which a reverse proxy serves us, without a slash at its end
 * @param csrf what every form of the answer carries
 */
public record Visit(Request request, Principal principal, String base, String csrf, Prefs prefs) {

  public boolean may(Scope scope) {
    return principal.may(scope);
  }

  /** For whom the studio makes things: the key's own user, or the default one. */
  public String user() {
    return principal.user() == null ? Principal.DEFAULT_USER : principal.user();
  }

  public int tenant() {
    return principal.tenant();
  }

  public UUID id() {
    return id(request.pathParameter("id"));
  }

  public static UUID id(String text) {
    try {
      if (text.length() == 36) {
        return UUID.fromString(text);
      }
    } catch (IllegalArgumentException e) {
      // Answered below: what is no id is answered like one that does not exist.
    }
    throw ProblemException.notFound();
  }

  /** A field of the form; empty if it was left out. */
  public String field(String name) {
    List<String> values = form().getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.getFirst().strip();
  }

  public Map<String, List<String>> form() {
    return request.form();
  }

  public String query(String name) {
    return request.query(name).orElse("").strip();
  }

  /** The way back to a page of the console. */
  public Response to(String path) {
    return Response.redirect(303, base + path);
  }

  public Page page(String title, String section) {
    return new Page(title, section, this, Notice.of(query("done")));
  }
}
