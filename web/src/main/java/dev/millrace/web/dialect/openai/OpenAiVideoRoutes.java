package dev.millrace.web.dialect.openai;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.dialect.GivenFiles;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.form.FormFiles;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Videos, which are asked for, looked at, fetched and deleted. */
final class OpenAiVideoRoutes {

  private static final String KIND = "video";
  private static final Set<String> DONE =
      Set.of("model", "prompt", "size", "seconds", "user", "metadata", "input_reference");
  private static final Duration UPLOAD_TIME = Duration.ofMinutes(10);

  private final Authentication authentication;
  private final Calls calls;
  private final JobActions actions;
  private final long mostBytes;

  OpenAiVideoRoutes(
      Authentication authentication, Calls calls, JobActions actions, long mostBytes) {
    this.authentication = authentication;
    this.calls = calls;
    this.actions = actions;
    this.mostBytes = mostBytes;
  }

  List<Route> routes() {
    return List.of(
        Route.post("/openai/v1/videos", authentication.require(Scope.JOBS_WRITE, this::create))
            .accepting(mostBytes, UPLOAD_TIME),
        Route.get("/openai/v1/videos", authentication.require(Scope.JOBS_READ, this::list)),
        Route.get("/openai/v1/videos/{video}", authentication.require(Scope.JOBS_READ, this::show)),
        Route.get(
            "/openai/v1/videos/{video}/content",
            authentication.require(Scope.JOBS_READ, this::content)),
        Route.delete(
            "/openai/v1/videos/{video}", authentication.require(Scope.JOBS_WRITE, this::delete)));
  }

  private Response create(Request request, Principal principal) throws InterruptedException {
    if (request.header("content-type").orElse("").startsWith("application/json")) {
      ObjectNode body = request.jsonObject();
      Effect effect = calls.model(body.path("model"), principal);
      return made(fields(body, effect), request, principal);
    }
    try (FormFiles form = FormFiles.of(request)) {
      Effect effect = calls.model(model(form), principal);
      Form read = Form.of(form, effect);
      EffectInput input = fields(read.body(), effect);
      read.bring(
          input,
          calls.given(),
          GivenFiles.Owner.of(principal, read.body().path("user").asString(null)));
      return made(input, request, principal);
    }
  }

  private static JsonNode model(FormFiles form) {
    return form.part("model")
        .<JsonNode>map(part -> JsonMapper.shared().getNodeFactory().stringNode(part.text()))
        .orElseGet(() -> JsonMapper.shared().missingNode());
  }

  private static EffectInput fields(ObjectNode body, Effect effect) {
    EffectInput input = new EffectInput(effect);
    if (body.hasNonNull("prompt")) {
      input.put("prompt", body.path("prompt"));
    }
    input.size(body);
    String length = input.takes("seconds") ? "seconds" : "duration";
    if (body.hasNonNull("seconds") && input.takes(length)) {
      input.put(length, input.value(length, body.path("seconds").asString()));
    }
    input.owner(body);
    input.related(KIND);
    input.rest(body, DONE, Set.of());
    return input;
  }

  private Response made(EffectInput input, Request request, Principal principal)
      throws InterruptedException {
    UUID id = calls.ask(input.fields(), request, principal);
    return Response.json(
        200, json(calls.shown().now(principal, id).orElseThrow(SubmitAnswers::deleted)));
  }

  private JobView find(Request request, Principal principal) {
    return calls
        .shown()
        .jobs()
        .find(principal.visibility(), Ids.of(Ids.VIDEO, request.pathParameter("video")))
        .orElseThrow(ProblemException::notFound);
  }

  private Response show(Request request, Principal principal) {
    return Response.json(200, json(find(request, principal)));
  }

  private Response content(Request request, Principal principal) {
    return calls.shown().toOutput(find(request, principal), 0, request);
  }

  private Response list(Request request, Principal principal) {
    Page page = Page.of(request, Ids.VIDEO);
    List<UUID> ids =
        calls
            .shown()
            .jobs()
            .walks()
            .ofRelated(
                principal.visibility(), "openai", "openai", KIND, page.after(), page.limit() + 1);
    List<ObjectNode> shown =
        calls.shown().jobs().all(principal.tenant(), page.cut(ids)).stream()
            .map(OpenAiVideoRoutes::json)
            .toList();
    return Response.json(200, page.json(shown, ids.size()));
  }

  private Response delete(Request request, Principal principal) throws InterruptedException {
    JobView job = find(request, principal);
    if (!job.state().terminal()) {
      Refusals.requireDone(actions.cancel(principal, job), "canceled");
      job =
          calls
              .ends()
              .await(principal.tenant(), job.id(), Duration.ofSeconds(5))
              .orElseThrow(ProblemException::notFound);
    }
    Refusals.requireDeleted(actions.delete(principal, job));
    return Response.json(
        200,
        JsonMapper.shared()
            .createObjectNode()
            .put("id", Ids.VIDEO + job.id())
            .put("object", "video.deleted")
            .put("deleted", true));
  }

  static ObjectNode json(JobView job) {
    JsonNode input = JobJson.object(job.request().input());
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", Ids.VIDEO + job.id());
    json.put("object", "video");
    json.put("model", job.request().effect());
    json.put("status", status(job.state()));
    json.put("progress", job.report().progress());
    json.put("created_at", job.times().createdAt().getEpochSecond());
    if (job.times().finishedAt() == null) {
      json.putNull("completed_at");
    } else {
      json.put("completed_at", job.times().finishedAt().getEpochSecond());
    }
    json.putNull("expires_at");
    json.put("prompt", input.path("prompt").asString(""));
    json.put("seconds", input.path("seconds").asString(input.path("duration").asString("")));
    json.put(
        "size",
        input.has("size")
            ? input.path("size").asString("")
            : input.path("width").asString("") + "x" + input.path("height").asString(""));
    json.putNull("remixed_from_video_id");
    if (status(job.state()).equals("failed")) {
      json.set("error", OpenAiErrors.error(Calls.refusal(job).problem()));
    } else {
      json.putNull("error");
    }
    return json;
  }

  /** Four words for thirteen states. */
  static String status(State state) {
    return switch (state) {
      case PENDING, QUEUED -> "queued";
      case RUNNING, SUBMITTED, WAITING_REVIEW, CANCELING -> "in_progress";
      case COMPLETED -> "completed";
      case FAILED, DEAD_LETTER, REJECTED, CANCELED, EXPIRED, BLOCKED -> "failed";
    };
  }
}
