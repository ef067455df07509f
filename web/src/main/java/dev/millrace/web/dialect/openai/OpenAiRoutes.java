package dev.millrace.web.dialect.openai;

import dev.millrace.service.Services;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.jobs.Offer;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.job.Submits;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.dialect.Description;
import dev.millrace.web.dialect.Dialect;
import dev.millrace.web.dialect.GivenFiles;
import dev.millrace.web.dialect.JobTexts;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** All routes of this dialect. */
public final class OpenAiRoutes {

  private final Authentication authentication;
  private final Calls calls;

  private OpenAiRoutes(Authentication authentication, Calls calls) {
    this.authentication = authentication;
    this.calls = calls;
  }

  /**
   * The routes.
   *
   * @param mostBytes of a file that is brought
   */
  public static List<Route> of(
      Authentication authentication,
      Services services,
      SubmitAnswers answers,
      PublicUrl publicUrl,
      long mostBytes) {
    Calls calls =
        new Calls(
            services.offers(),
            new Submits(services.jobs().submission(), Dialect.OPENAI.label()),
            answers,
            services.webhooks().ends(),
            new GivenFiles(services.files().uploads(), services.database().files()),
            new JobTexts(services.files().store()),
            services.files().links(),
            publicUrl);
    services.files().lists().read(Dialect.OPENAI.label(), new BatchLines(calls));
    return Stream.of(
            new ImageRoutes(authentication, calls, mostBytes).routes(),
            new ChatRoutes(authentication, calls, services.hub()).routes(),
            new SpeechRoutes(authentication, calls).routes(),
            new OpenAiVideoRoutes(authentication, calls, services.jobs().actions(), mostBytes)
                .routes(),
            new OpenAiFileRoutes(authentication, calls, services.files().erasure(), mostBytes)
                .routes(),
            new BatchRoutes(
                    authentication,
                    calls,
                    services.database().batches().requestLists(),
                    services.files().lists())
                .routes(),
            new OpenAiRoutes(authentication, calls).routes())
        .flatMap(List::stream)
        .map(route -> route.behind(DatabaseProblems.asProblems()).behind(OpenAiErrors.filter()))
        .toList();
  }

  private List<Route> routes() {
    return List.of(
        Route.get("/openai/v1/models", authentication.require(Scope.EFFECTS_READ, this::models)),
        Route.get(
            "/openai/v1/models/{model*}", authentication.require(Scope.EFFECTS_READ, this::model)),
        Description.route("/openai/openapi.json", "/openai.yaml"));
  }

  private Response models(Request request, Principal principal) {
    ObjectNode list = JsonMapper.shared().createObjectNode().put("object", "list");
    ArrayNode data = list.putArray("data");
    calls.offers().all().stream()
        .map(Offer::effect)
        .filter(effect -> principal.bounds().allowEffect(effect.slug()))
        .forEach(effect -> data.add(json(effect)));
    return Response.json(200, list);
  }

  private Response model(Request request, Principal principal) {
    return Response.json(200, json(calls.find(request.pathParameter("model"), principal)));
  }

  private static ObjectNode json(Effect effect) {
    return JsonMapper.shared()
        .createObjectNode()
        .put("id", effect.slug())
        .put("object", "model")
        .put("created", 0)
        .put("owned_by", effect.workflow().executor());
  }
}
