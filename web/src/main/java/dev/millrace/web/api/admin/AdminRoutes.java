package dev.millrace.web.api.admin;

import dev.millrace.postgres.doctor.Doctor;
import dev.millrace.postgres.doctor.LawFinding;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.Catalogue;
import dev.millrace.service.jobs.CatalogueActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The catalogue and the invariants. */
public final class AdminRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Authentication authentication;
  private final CatalogueActions catalogue;
  private final Doctor doctor;

  public AdminRoutes(Authentication authentication, CatalogueActions catalogue, Doctor doctor) {
    this.authentication = authentication;
    this.catalogue = catalogue;
    this.doctor = doctor;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
            "/api/admin/catalogue/reload",
            authentication.require(Scope.CATALOGUE_WRITE, this::reload)),
        Route.get("/api/admin/doctor", authentication.require(Scope.DOCTOR_READ, this::examine)));
  }

  private Response reload(Request request, Principal principal) {
    Catalogue read = Refusals.requireRead(catalogue.reload(principal));
    return Response.json(
        200,
        JSON.createObjectNode()
            .put("workflows", read.workflows().size())
            .put("effects", read.effects().size()));
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
