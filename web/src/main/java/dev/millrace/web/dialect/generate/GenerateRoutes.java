package dev.millrace.web.dialect.generate;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.service.jobs.Offer;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.job.Submits;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.dialect.OwnFields;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Generating something of a type, looking at it, and canceling it. */
public final class GenerateRoutes {

  /** These are the request's own; whatever else comes is the effect's input. */
  private static final Set<String> OF_THE_REQUEST = Set.of("user", "workspace", "idempotency_key");

  private static final int LONGEST_STYLE = 200;
  private static final String PRODUCT_ID = "product_id";

  private final Authentication authentication;
  private final Offers offers;
  private final Submits submits;
  private final JobActions actions;
  private final SubmitAnswers answers;

  public GenerateRoutes(
      Authentication authentication,
      Offers offers,
      Submits submits,
      JobActions actions,
      SubmitAnswers answers) {
    this.authentication = authentication;
    this.offers = offers;
    this.submits = submits;
    this.actions = actions;
    this.answers = answers;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
            "/api/generate/{type}", authentication.require(Scope.JOBS_WRITE, this::generate)),
        Route.get("/api/generate/jobs/{id}", authentication.require(Scope.JOBS_READ, this::show)),
        Route.post(
            "/api/generate/jobs/{id}/cancel",
            authentication.require(Scope.JOBS_WRITE, this::cancel)));
  }

  private Response generate(Request request, Principal principal) throws InterruptedException {
    GenerateType type =
        GenerateType.ofLabel(request.pathParameter("type")).orElseThrow(ProblemException::notFound);
    Effect effect = effect(type).effect();
    ObjectNode fields = fields(request.jsonObject(), effect);
    if (fields.path("metadata").has(GenerateJson.STYLE) && !isText(fields.at("/metadata/style"))) {
      throw ProblemException.invalid("/style", "must be a text of 1 to 200 characters");
    }
    SubmitAnswers.Submitted submitted;
    try {
      submitted = answers.require(submits.submit(fields, request, principal));
    } catch (ProblemException e) {
      throw OwnFields.in(e, GenerateRoutes::ownPath);
    }
    JobView made = submitted.made();
    if (made != null) {
      return Response.json(201, GenerateJson.job(made, List.of()));
    }
    return Response.json(200, json(now(principal, submitted.id()), request))
        .header("Idempotency-Replayed", "true");
  }

  private JobView now(Principal principal, UUID id) {
    return answers.shown().now(principal, id).orElseThrow(SubmitAnswers::deleted);
  }

  private ObjectNode json(JobView job, Request request) {
    return GenerateJson.job(job, answers.shown().outputs(job, request));
  }

  private Offer effect(GenerateType type) {
    return type.effects().stream()
        .map(offers::find)
        .flatMap(Optional::stream)
        .findFirst()
        .orElseThrow(() ->
            new ProblemException(
                422,
                "type_not_offered",
                "Nothing on offer makes this. Put an effect named %s into the catalogue."
                    .formatted(type.effects().getFirst())));
  }

  private static boolean isText(JsonNode value) {
    return value.isString()
        && !value.stringValue().isBlank()
        && value.stringValue().length() <= LONGEST_STYLE;
  }

  /** The same request in the fields of the API's own. */
  private static ObjectNode fields(ObjectNode body, Effect effect) {
    JsonNode takes = effect.inputSchema().path("properties");
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    ObjectNode input = fields.put("effect", effect.slug()).putObject("input");
    for (String name : body.propertyNames()) {
      JsonNode value = body.path(name);
      if (value.isNull()) {
        continue;
      }
      if (OF_THE_REQUEST.contains(name)) {
        fields.set(name, value);
        continue;
      }
      if (takes.has(name) || !(name.equals(PRODUCT_ID) || name.equals(GenerateJson.STYLE))) {
        input.set(name, value);
      } else if (name.equals(GenerateJson.STYLE)) {
        fields.putObject("metadata").set(name, value);
      }
      if (name.equals(PRODUCT_ID)) {
        fields.putObject("related").put("type", GenerateJson.PRODUCT).set("id", value);
      }
    }
    return fields;
  }

  private static String ownPath(String path) {
    if (path.equals("/related")) {
      return "/" + PRODUCT_ID;
    }
    return path.startsWith("/input/") ? path.substring("/input".length()) : path;
  }

  private Response show(Request request, Principal principal) {
    JobView job = answers.shown().find(request, principal);
    return Response.json(200, json(job, request));
  }

  private Response cancel(Request request, Principal principal) throws InterruptedException {
    JobView job = answers.shown().find(request, principal);
    Refusals.requireDone(actions.cancel(principal, job), "canceled");
    return Response.json(200, json(now(principal, job.id()), request));
  }
}
