package dev.millrace.web.dialect.replicate;

import dev.millrace.service.Services;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.webhooks.Outgoing;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.job.Submits;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.dialect.Description;
import dev.millrace.web.dialect.Dialect;
import dev.millrace.web.dialect.GivenFiles;
import dev.millrace.web.dialect.JobTexts;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** All routes of this dialect. */
public final class ReplicateRoutes {

  private final Authentication authentication;
  private final Services services;
  private final PublicUrl publicUrl;
  private final Models models;

  private ReplicateRoutes(Authentication authentication, Services services, PublicUrl publicUrl) {
    this.authentication = authentication;
    this.services = services;
    this.publicUrl = publicUrl;
    this.models = new Models(services.offers());
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
    ReplicateRoutes own = new ReplicateRoutes(authentication, services, publicUrl);
    Outgoing webhooks = services.webhooks().outgoing();
    GivenFiles given = new GivenFiles(services.files().uploads(), services.database().files());
    PredictionJson json =
        new PredictionJson(services.files().links(), new JobTexts(services.files().store()));
    webhooks
        .messages()
        .tell(
            Dialect.REPLICATE.label(),
            (job, outputs, base) -> json.of(job, outputs, base).toString());
    List<Route> routes = new ArrayList<>();
    routes.addAll(
        new PredictionRoutes(
                authentication,
                own.models,
                new PredictionRequest(given, webhooks, answers.clock()),
                json,
                new PredictionRoutes.Jobbing(
                    new Submits(services.jobs().submission(), Dialect.REPLICATE.label()),
                    services.jobs().actions(),
                    answers,
                    services.webhooks().ends()),
                publicUrl)
            .routes());
    routes.addAll(
        new ReplicateFileRoutes(
                authentication,
                given,
                services.files().erasure(),
                answers.shown(),
                publicUrl,
                mostBytes)
            .routes());
    routes.addAll(
        new StreamRoutes(services.files().links(), answers.shown(), services.hub(), json, publicUrl)
            .routes());
    routes.addAll(own.routes());
    return routes.stream()
        .map(route -> route.behind(DatabaseProblems.asProblems()).behind(ReplicateErrors.filter()))
        .toList();
  }

  private List<Route> routes() {
    return List.of(
        Route.get("/replicate/v1/models", authentication.require(Scope.EFFECTS_READ, this::models)),
        Route.get(
            "/replicate/v1/models/{owner}/{name}",
            authentication.require(Scope.EFFECTS_READ, this::model)),
        Route.get(
            "/replicate/v1/models/{owner}/{name}/versions",
            authentication.require(Scope.EFFECTS_READ, this::versions)),
        Route.get(
            "/replicate/v1/models/{owner}/{name}/versions/{version}",
            authentication.require(Scope.EFFECTS_READ, this::version)),
        Route.get("/replicate/v1/account", authentication.requireAny(ReplicateRoutes::account)),
        Route.get(
            "/replicate/v1/webhooks/default/secret",
            authentication.require(Scope.WEBHOOKS_WRITE, this::secret)),
        Description.route("/replicate/openapi.json", "/replicate.yaml"));
  }

  private Response models(Request request, Principal principal) {
    ObjectNode page = JsonMapper.shared().createObjectNode();
    page.putNull("previous").putNull("next");
    page.set("results", models.list(principal, publicUrl.of(request)));
    return Response.json(200, page);
  }

  private Effect named(Request request, Principal principal) {
    return models.find(
        principal, request.pathParameter("owner") + "/" + request.pathParameter("name"));
  }

  private Response model(Request request, Principal principal) {
    return Response.json(200, Models.json(named(request, principal), publicUrl.of(request)));
  }

  private Response versions(Request request, Principal principal) {
    ObjectNode page = JsonMapper.shared().createObjectNode();
    page.putNull("previous").putNull("next");
    page.putArray("results").add(Models.version(named(request, principal)));
    return Response.json(200, page);
  }

  private Response version(Request request, Principal principal) {
    ObjectNode version = Models.version(named(request, principal));
    if (!version.path("id").asString().equals(request.pathParameter("version"))) {
      throw ProblemException.notFound();
    }
    return Response.json(200, version);
  }

  private static Response account(Request request, Principal principal) {
    return Response.json(
        200,
        JsonMapper.shared()
            .createObjectNode()
            .put("type", "organization")
            .put("username", principal.tenantSlug())
            .put("name", principal.tenantSlug()));
  }

  private Response secret(Request request, Principal principal) {
    String key =
        services
            .webhooks()
            .outgoing()
            .secretOfJobs(principal.tenant())
            .orElseThrow(() ->
                new ProblemException(
                    409,
                    "secret_unknown",
                    "This node has another signing secret than the one that this was made with."
                        + " Rotate the secret of the endpoint that stands for jobs."));
    return Response.json(200, JsonMapper.shared().createObjectNode().put("key", key));
  }
}
