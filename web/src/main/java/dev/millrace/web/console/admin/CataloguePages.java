package dev.millrace.web.console.admin;

import dev.millrace.service.access.Role;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Effects and workflows: what there is, reading it again, and checking a file before that. */
public final class CataloguePages {

  private final PageAccess doors;
  private final Offers offers;

  public CataloguePages(PageAccess doors, Offers offers) {
    this.doors = doors;
    this.offers = offers;
  }

  public List<Route> routes() {
    return List.of(
        doors.page("/console/catalogue", Role.ADMIN, this::catalogue),
        doors.deed("/console/catalogue/reload", Role.ADMIN, this::reload),
        doors.page("/console/catalogue/check", Role.ADMIN, visit -> check(visit, "", "", null)),
        doors.deed("/console/catalogue/check", Role.ADMIN, this::check),
        doors.deed("/console/effects/pause/{slug*}", Role.ADMIN, visit -> hold(visit, "pause")),
        doors.deed("/console/effects/resume/{slug*}", Role.ADMIN, visit -> hold(visit, "resume")));
  }

  private Response catalogue(Visit visit) throws Exception {
    return doors
        .html()
        .page(
            200,
            "catalogue",
            Map.of(
                "page",
                visit.page("Effects", "catalogue"),
                "workflows",
                offers.workflows(),
                "effects",
                List.copyOf(visit.get("/api/effects").path("items").values())));
  }

  private Response reload(Visit visit) throws Exception {
    visit.post("/api/admin/catalogue/reload", null);
    return visit.to("/console/catalogue?done=reloaded");
  }

  private Response check(Visit visit) throws Exception {
    String text = visit.form().getOrDefault("text", List.of("")).getFirst();
    ObjectNode body = JsonMapper.shared().createObjectNode().put("text", text);
    if (!visit.field("name").isEmpty()) {
      body.put("name", visit.field("name"));
    }
    return check(visit, visit.field("name"), text, visit.post("/api/admin/catalogue/check", body));
  }

  private Response check(Visit visit, String name, String text, @Nullable JsonNode found) {
    Map<String, Object> model = new HashMap<>();
    model.put("page", visit.page("Check a file", "catalogue"));
    model.put("name", name);
    model.put("text", text);
    model.put("found", found);
    return doors.html().page(200, "check", model);
  }

  private Response hold(Visit visit, String deed) throws Exception {
    visit.post("/api/admin/effects/" + visit.request().pathParameter("slug") + "/" + deed, null);
    return visit.to("/console/catalogue?done=" + deed + "d");
  }
}
