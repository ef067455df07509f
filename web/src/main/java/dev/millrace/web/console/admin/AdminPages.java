package dev.millrace.web.console.admin;

import dev.millrace.postgres.tenants.Audit;
import dev.millrace.service.access.ApiKeys;
import dev.millrace.service.access.Role;
import dev.millrace.service.access.Scope;
import dev.millrace.service.browsers.Origins;
import dev.millrace.web.api.admin.KeyWish;
import dev.millrace.web.api.browser.OriginReader;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.console.frame.OneTimeSecrets;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What an administrator keeps: keys and the audit. */
public final class AdminPages {

  private static final int PAGE = 50;

  private final PageAccess doors;
  private final ApiKeys keys;
  private final Origins origins;
  private final Audit audit;
  private final OneTimeSecrets once;

  public AdminPages(
      PageAccess doors, ApiKeys keys, Origins origins, Audit audit, OneTimeSecrets once) {
    this.doors = doors;
    this.keys = keys;
    this.origins = origins;
    this.audit = audit;
    this.once = once;
  }

  public List<Route> routes() {
    return List.of(
        doors.page("/console/keys", Scope.KEYS_READ, this::keys),
        doors.deed("/console/keys", Scope.KEYS_WRITE, this::createKey),
        doors.deed("/console/keys/{id}/revoke", Scope.KEYS_WRITE, this::revokeKey),
        doors.deed("/console/origins", Scope.ORIGINS_WRITE, this::setOrigins),
        doors.page("/console/audit", Scope.AUDIT_READ, this::audit));
  }

  private Response keys(Visit visit) {
    return doors
        .html()
        .page(
            200,
            "keys",
            Map.of(
                "page", visit.page("Tenant and keys", "keys"),
                "keys", keys.list(visit.tenant()),
                "origins", origins.list(visit.principal())));
  }

  /** One in each line. */
  private Response setOrigins(Visit visit) {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    visit
        .field("origins")
        .lines()
        .filter(line -> !line.isBlank())
        .forEach(body.putArray("origins")::add);
    origins.set(visit.principal(), OriginReader.read(body));
    return visit.to("/console/keys?done=changed");
  }

  private Response createKey(Visit visit) {
    ObjectNode body =
        JsonMapper.shared()
            .createObjectNode()
            .put("name", visit.field("name"))
            .put("role", visit.field("role"));
    if (!visit.field("user").isEmpty()) {
      body.put("user", visit.field("user"));
    }
    ApiKeys.Creation.Made made =
        Refusals.requireMade(keys.create(visit.principal(), KeyWish.read(body)));
    return once.lead(
        visit,
        "New key",
        "keys",
        "The key “" + visit.field("name") + "”",
        made.secret(),
        "/console/keys");
  }

  /** Who is signed in with a key and revokes it, is shut out before the page has come. */
  private Response revokeKey(Visit visit) {
    if (visit.id().equals(visit.principal().credential().id())) {
      throw new ProblemException(
          409,
          "own_key",
          "You are signed in with this key. To revoke it, sign in with another one.");
    }
    if (!keys.revoke(visit.principal(), visit.id())) {
      throw ProblemException.notFound();
    }
    return visit.to("/console/keys?done=key-revoked");
  }

  private Response audit(Visit visit) {
    String before = visit.query("before");
    @Nullable Long cursor = before.matches("[0-9]{1,18}") ? Long.valueOf(before) : null;
    List<Audit.Written> lines =
        audit.list(
            new Audit.Filter(
                visit.tenant(),
                visit.principal().role() == Role.OPERATOR,
                orNull(visit.query("action")),
                orNull(visit.query("target")),
                cursor,
                PAGE));
    return doors
        .html()
        .page(
            200,
            "audit",
            Map.of(
                "page", visit.page("Audit", "audit"),
                "lines", lines,
                "action", visit.query("action"),
                "target", visit.query("target"),
                "next", lines.size() < PAGE ? "" : Long.toString(lines.getLast().id())));
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
