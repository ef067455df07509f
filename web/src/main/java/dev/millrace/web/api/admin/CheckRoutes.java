package dev.millrace.web.api.admin;

import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.CatalogueProblem;
import dev.millrace.service.catalogue.reading.CheckedFile;
import dev.millrace.service.jobs.CatalogueActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Says what is wrong with a file of the catalogue before somebody puts it there. */
public final class CheckRoutes {

  private final Authentication authentication;
  private final CatalogueActions catalogue;

  public CheckRoutes(Authentication authentication, CatalogueActions catalogue) {
    this.authentication = authentication;
    this.catalogue = catalogue;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
            "/api/admin/catalogue/check",
            authentication.require(Scope.CATALOGUE_WRITE, this::check)));
  }

  private Response check(Request request, Principal principal) {
    FileToCheck file = FileToCheck.read(request.jsonObject());
    return Response.json(200, json(catalogue.check(file.name(), file.text())));
  }

  private static ObjectNode json(CheckedFile checked) {
    ObjectNode json =
        JsonMapper.shared()
            .createObjectNode()
            .put("ok", checked.problems().isEmpty())
            .put("workflow", checked.workflow().orElse(null));
    checked.effects().forEach(json.putArray("effects")::add);
    var problems = json.putArray("problems");
    for (CatalogueProblem problem : checked.problems()) {
      problems
          .addObject()
          .put("file", problem.file())
          .put("line", problem.line().isPresent() ? problem.line().getAsInt() : null)
          .put("path", problem.path())
          .put("message", problem.message());
    }
    return json;
  }
}
