package dev.millrace.web.api.admin;

import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.catalogue.CatalogueProblem;
import dev.millrace.service.catalogue.reading.CatalogueFiles;
import dev.millrace.service.catalogue.reading.CheckedFile;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Says what is wrong with a file of the catalogue before somebody puts it there. */
public final class CheckRoutes {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,95}\\.ya?ml");
  private static final String USUAL_NAME = "pasted.yaml";

  private final Authentication authentication;
  private final Offers offers;

  public CheckRoutes(Authentication authentication, Offers offers) {
    this.authentication = authentication;
    this.offers = offers;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/admin/catalogue/check", authentication.require(Role.ADMIN, this::check)));
  }

  private Response check(Request request, Principal principal) {
    Body body = Body.of(request, "name", "text");
    @Nullable JsonNode name = body.raw("name");
    if (name != null && !(name.isString() && NAME.matcher(name.stringValue()).matches())) {
      body.wrong("name", "must be a file name that ends in .yaml or .yml");
    }
    @Nullable JsonNode text = body.raw("text");
    if (text == null) {
      body.wrong("text", "is required");
    } else if (!text.isString() || !isBearable(text.stringValue())) {
      body.wrong("text", "must be YAML text of at most 256 KiB");
    }
    body.requireGood();
    return Response.json(
        200,
        json(
            offers.check(
                name == null ? USUAL_NAME : name.asString(), text == null ? "" : text.asString())));
  }

  private static boolean isBearable(String text) {
    return !text.isBlank()
        && text.getBytes(StandardCharsets.UTF_8).length <= CatalogueFiles.MOST_BYTES;
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
