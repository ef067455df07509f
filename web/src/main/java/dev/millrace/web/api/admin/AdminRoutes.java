package dev.millrace.web.api.admin;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.millrace.postgres.doctor.Doctor;
import dev.millrace.postgres.doctor.LawFinding;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import dev.millrace.service.access.ApiKey;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.catalogue.reading.Reload;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.Problem;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Keys, the catalogue, and the invariants. */
public final class AdminRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Authentication authentication;
  private final Keys keys;
  private final Offers offers;
  private final Doctor doctor;
  private final Audit audit;

  public AdminRoutes(
      Authentication authentication, Keys keys, Offers offers, Doctor doctor, Audit audit) {
    this.authentication = authentication;
    this.keys = keys;
    this.offers = offers;
    this.doctor = doctor;
    this.audit = audit;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/whoami", authentication.require(Role.USER, this::whoami)),
        Route.get("/api/admin/keys", authentication.require(Role.ADMIN, this::listKeys)),
        Route.post("/api/admin/keys", authentication.require(Role.ADMIN, this::createKey)),
        Route.delete("/api/admin/keys/{id}", authentication.require(Role.ADMIN, this::revokeKey)),
        Route.post("/api/admin/catalogue/reload", authentication.require(Role.ADMIN, this::reload)),
        Route.get("/api/admin/doctor", authentication.require(Role.ADMIN, this::examine)));
  }

  private Response whoami(Request request, Principal principal) {
    return Response.json(
        200,
        JSON.createObjectNode()
            .put("tenant", principal.tenantSlug())
            .put("role", principal.role().label())
            .put("user", principal.user())
            .put("key_prefix", principal.keyPrefix()));
  }

  private Response listKeys(Request request, Principal principal) {
    ObjectNode page = JSON.createObjectNode();
    var items = page.putArray("items");
    keys.list(principal.tenant()).forEach(key -> items.add(json(key)));
    return Response.json(200, page);
  }

  private Response createKey(Request request, Principal principal) {
    Body body = Body.of(request, "name", "role", "user");
    String name = body.text("name");
    String label = body.text("role");
    Optional<Role> role = Role.ofLabel(label);
    if (role.isEmpty() && !label.isEmpty()) {
      body.wrong("role", "must be user, reviewer or admin");
    }
    @Nullable String user = body.userOrNull("user");
    if (user != null && role.equals(Optional.of(Role.ADMIN))) {
      // Administration is the whole tenant's; a bound key that can make unbound ones is not bound.
      body.wrong("user", "must be left out: an admin key can't be bound to one user");
    }
    body.requireGood();
    ApiKey key = ApiKey.random();
    KeyView made =
        keys.add(
            new Keys.NewKey(
                principal.tenant(),
                UuidCreator.getTimeOrderedEpoch(),
                name,
                key.prefix(),
                key.hash(),
                role.orElseThrow().label(),
                user));
    audit.write(principal.audit("key.create", made.id().toString(), json(made).toString()));
    return Response.json(201, json(made).put("secret", key.text()));
  }

  private Response revokeKey(Request request, Principal principal) {
    if (!keys.revoke(principal.tenant(), Params.id(request))) {
      throw ProblemException.notFound();
    }
    audit.write(principal.audit("key.revoke", request.pathParameter("id"), null));
    return Response.empty(204);
  }

  private static ObjectNode json(KeyView key) {
    return JSON.createObjectNode()
        .put("id", key.id().toString())
        .put("name", key.name())
        .put("prefix", key.prefix())
        .put("role", key.role())
        .put("user", key.userId())
        .put("created_at", key.createdAt().toString())
        .put("last_used_at", JobJson.text(key.lastUsedAt()))
        .put("revoked_at", JobJson.text(key.revokedAt()));
  }

  private Response reload(Request request, Principal principal) {
    return switch (offers.reload()) {
      case Reload.Reloaded(var catalogue) -> {
        ObjectNode counts =
            JSON.createObjectNode()
                .put("workflows", catalogue.workflows().size())
                .put("effects", catalogue.effects().size());
        audit.write(principal.audit("catalogue.reload", "catalogue", counts.toString()));
        yield Response.json(200, counts);
      }
      case Reload.Rejected(var problems) ->
          throw new ProblemException(
              Problem.invalid(
                  problems.stream()
                      .map(p -> new Problem.Violation(p.path(), p.toString()))
                      .toList()));
    };
  }

  private Response examine(Request request, Principal principal) {
    List<LawFinding> findings = doctor.examine();
    ObjectNode json = JSON.createObjectNode();
    json.put("ok", findings.stream().allMatch(LawFinding::holds));
    for (LawFinding.Status status : LawFinding.Status.values()) {
      json.put(status.label(), findings.stream().filter(found -> found.status() == status).count());
    }
    var checks = json.putArray("checks");
    findings.forEach(finding -> checks.add(json(finding)));
    return Response.json(200, json);
  }

  private static ObjectNode json(LawFinding finding) {
    ObjectNode check =
        JSON.createObjectNode()
            .put("number", finding.number())
            .put("name", finding.name())
            .put("law", finding.law())
            .put("explanation", finding.explanation())
            .put("ok", finding.holds())
            .put("status", finding.status().label())
            .put("reason", finding.notChecked())
            .put("violations_in_all", finding.violations())
            .put("violations_more", finding.more());
    var violations = check.putArray("violations");
    for (var violation : finding.examples()) {
      ObjectNode row = violations.addObject();
      violation.forEach((column, value) -> row.put(column, JobJson.text(value)));
    }
    return check;
  }
}
