package dev.millrace.web.dialect.images;

import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.JobAnswers;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.job.Submits;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.dialect.OwnFields;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Asking for a picture, looking at what becomes of it, and getting it. */
public final class ImagesRoutes {

  /** Makes what a request without an effect asks for. */
  private static final String USUAL_EFFECT = "images/default";

  private static final Set<String> FIELDS =
      Set.of("prompt", "params", "idempotencyKey", "effect", "userId", "workspace", "metadata");

  private final Authentication authentication;
  private final Submits submits;
  private final SubmitAnswers answers;
  private final JobAnswers shown;

  public ImagesRoutes(Authentication authentication, Submits submits, SubmitAnswers answers) {
    this.authentication = authentication;
    this.submits = submits;
    this.answers = answers;
    this.shown = answers.shown();
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/images/jobs", authentication.require(Scope.JOBS_WRITE, this::create)),
        Route.get("/api/images/jobs", authentication.require(Scope.JOBS_READ, this::list)),
        Route.get("/api/images/jobs/{id}", authentication.require(Scope.JOBS_READ, this::show)),
        Route.get(
            "/api/images/jobs/{id}/result", authentication.require(Scope.JOBS_READ, this::result)));
  }

  private Response create(Request request, Principal principal) throws InterruptedException {
    ObjectNode fields = fields(request.jsonObject());
    SubmitAnswers.Submitted submitted;
    try {
      submitted = answers.require(submits.submit(fields, request, principal));
    } catch (ProblemException e) {
      throw OwnFields.in(e, ImagesRoutes::ownPath);
    }
    JobView made = submitted.made();
    if (made != null) {
      return Response.json(201, ImagesJson.job(made, List.of(), null));
    }
    JobView earlier = shown.now(principal, submitted.id()).orElseThrow(SubmitAnswers::deleted);
    return Response.json(200, json(earlier, shown.outputs(earlier), request))
        .header("Idempotency-Replayed", "true");
  }

  /** The same request in the fields of the API's own. */
  private ObjectNode fields(ObjectNode body) {
    for (String name : body.propertyNames()) {
      if (!FIELDS.contains(name)) {
        throw ProblemException.invalid(
            "/" + Params.pointer(name), "is not a field of this request");
      }
    }
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    JsonNode params = body.path("params");
    if (!params.isObject() && !params.isNull() && !params.isMissingNode()) {
      throw ProblemException.invalid("/params", "must be an object");
    }
    ObjectNode input = fields.putObject("input");
    params.properties().forEach(param -> input.set(param.getKey(), param.getValue()));
    if (input.has(ImagesJson.PROMPT)) {
      throw ProblemException.invalid("/params/prompt", "must stand beside params");
    }
    copy(body, ImagesJson.PROMPT, input, ImagesJson.PROMPT);
    fields.put("effect", USUAL_EFFECT);
    copy(body, "effect", fields, "effect");
    copy(body, "idempotencyKey", fields, "idempotency_key");
    copy(body, "userId", fields, "user");
    copy(body, "workspace", fields, "workspace");
    copy(body, "metadata", fields, "metadata");
    return fields;
  }

  private static void copy(ObjectNode from, String name, ObjectNode to, String as) {
    if (from.hasNonNull(name)) {
      to.set(as, from.path(name));
    }
  }

  private static String ownPath(String path) {
    return switch (path) {
      case "/input/prompt" -> "/prompt";
      case "/idempotency_key" -> "/idempotencyKey";
      case "/user" -> "/userId";
      case "/input" -> "/params";
      default -> path.startsWith("/input/") ? "/params" + path.substring("/input".length()) : path;
    };
  }

  private Response list(Request request, Principal principal) {
    int limit = Params.limit(request);
    List<JobView> found =
        shown
            .jobs()
            .list(
                new Jobs.Filter(
                    Params.wanted(request, principal),
                    request.query("effect").orElse(USUAL_EFFECT),
                    null,
                    null,
                    Params.cursor(request),
                    limit));
    Map<UUID, List<FileView>> outputs = shown.outputs(principal.tenant(), found);
    ObjectNode page = JsonMapper.shared().createObjectNode();
    var jobs = page.putArray("jobs");
    for (JobView job : found) {
      jobs.add(json(job, outputs.getOrDefault(job.id(), List.of()), request));
    }
    page.put("nextCursor", found.size() < limit ? null : found.getLast().id().toString());
    return Response.json(200, page);
  }

  private Response show(Request request, Principal principal) {
    JobView job = shown.find(request, principal);
    return Response.json(200, json(job, shown.outputs(job), request));
  }

  private ObjectNode json(JobView job, List<FileView> outputs, Request request) {
    String result = shown.fileJson().own("/api/images/jobs/" + job.id() + "/result", request);
    return ImagesJson.job(job, outputs, result);
  }

  private Response result(Request request, Principal principal) {
    return shown.toOutput(shown.find(request, principal), 0, request);
  }
}
