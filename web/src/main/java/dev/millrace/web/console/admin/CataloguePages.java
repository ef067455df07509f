package dev.millrace.web.console.admin;

import dev.millrace.postgres.catalogue.Pauses;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.reading.CheckedFile;
import dev.millrace.service.jobs.CatalogueActions;
import dev.millrace.service.jobs.OfferedEffects;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.api.admin.FileToCheck;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.console.frame.PageAccess;
import dev.millrace.web.console.frame.Visit;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Effects and workflows: what there is, reading it again, and checking a file before that. */
public final class CataloguePages {

  private static final Pauses.Kind EFFECT = Pauses.Kind.EFFECT;

  private final PageAccess doors;
  private final Offers offers;
  private final OfferedEffects effects;
  private final CatalogueActions actions;

  public CataloguePages(
      PageAccess doors, Offers offers, OfferedEffects effects, CatalogueActions actions) {
    this.doors = doors;
    this.offers = offers;
    this.effects = effects;
    this.actions = actions;
  }

  public List<Route> routes() {
    return List.of(
        doors.page("/console/catalogue", Scope.CATALOGUE_WRITE, this::catalogue),
        doors.deed("/console/catalogue/reload", Scope.CATALOGUE_WRITE, this::reload),
        doors.page(
            "/console/catalogue/check", Scope.CATALOGUE_WRITE, visit -> check(visit, "", "", null)),
        doors.deed("/console/catalogue/check", Scope.CATALOGUE_WRITE, this::check),
        doors.deed(
            "/console/effects/pause/{slug*}",
            Scope.CATALOGUE_WRITE,
            visit -> held(visit, "paused", actions.pause(visit.principal(), EFFECT, slug(visit)))),
        doors.deed(
            "/console/effects/resume/{slug*}",
            Scope.CATALOGUE_WRITE,
            visit ->
                held(visit, "resumed", actions.resume(visit.principal(), EFFECT, slug(visit)))));
  }

  private Response catalogue(Visit visit) {
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
                effects.list()));
  }

  private Response reload(Visit visit) {
    Refusals.requireRead(actions.reload(visit.principal()));
    return visit.to("/console/catalogue?done=reloaded");
  }

  private Response check(Visit visit) {
    String text = visit.form().getOrDefault("text", List.of("")).getFirst();
    ObjectNode body = JsonMapper.shared().createObjectNode().put("text", text);
    if (!visit.field("name").isEmpty()) {
      body.put("name", visit.field("name"));
    }
    FileToCheck file = FileToCheck.read(body);
    return check(visit, visit.field("name"), text, actions.check(file.name(), file.text()));
  }

  private Response check(Visit visit, String name, String text, @Nullable CheckedFile found) {
    Map<String, Object> model = new HashMap<>();
    model.put("page", visit.page("Check a file", "catalogue"));
    model.put("name", name);
    model.put("text", text);
    model.put("found", found);
    return doors.html().page(200, "check", model);
  }

  private static String slug(Visit visit) {
    return visit.request().pathParameter("slug");
  }

  private static Response held(Visit visit, String done, Optional<Pauses.Standing> now) {
    if (now.isEmpty()) {
      throw ProblemException.notFound();
    }
    return visit.to("/console/catalogue?done=" + done);
  }
}
