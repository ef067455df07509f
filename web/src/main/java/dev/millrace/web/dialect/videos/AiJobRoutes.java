package dev.millrace.web.dialect.videos;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.catalogue.FileRule;
import dev.millrace.service.jobs.Offers;
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
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Having a video processed by an effect, and looking at the job that does it. */
final class AiJobRoutes {

  private static final Set<String> FIELDS =
      Set.of(
          "effect_id",
          "video_id",
          "input_file_id",
          "idempotency_key",
          "input_payload",
          "priority",
          "provider",
          "user",
          "workspace");

  private final Authentication authentication;
  private final Offers offers;
  private final Submits submits;
  private final SubmitAnswers answers;
  private final JobAnswers shown;

  AiJobRoutes(
      Authentication authentication, Offers offers, Submits submits, SubmitAnswers answers) {
    this.authentication = authentication;
    this.offers = offers;
    this.submits = submits;
    this.answers = answers;
    this.shown = answers.shown();
  }

  List<Route> routes() {
    return List.of(
        Route.post("/api/ai-jobs", authentication.require(Scope.JOBS_WRITE, this::create)),
        Route.get("/api/ai-jobs/{id}", authentication.require(Scope.JOBS_READ, this::show)));
  }

  private Response create(Request request, Principal principal) throws InterruptedException {
    ObjectNode body = request.jsonObject();
    Optional<String> property = fileProperty(body.path("effect_id").asString(""));
    ObjectNode fields = fields(body, property);
    SubmitAnswers.Submitted submitted;
    try {
      submitted = answers.require(submits.submit(fields, request, principal));
    } catch (ProblemException e) {
      throw OwnFields.in(e, path -> ownPath(path, property.orElse("")));
    }
    JobView made = submitted.made();
    if (made != null) {
      return Envelope.good(201, VideosJson.aiJob(made, List.of()), "Job queued");
    }
    JobView earlier = shown.now(principal, submitted.id()).orElseThrow(SubmitAnswers::deleted);
    return Envelope.good(
            200, VideosJson.aiJob(earlier, shown.outputs(earlier)), "Job already submitted")
        .header("Idempotency-Replayed", "true");
  }

  /** The effect's first property that takes a file, which is what these clients upload. */
  private Optional<String> fileProperty(String effect) {
    return offers.find(effect).stream()
        .flatMap(offer -> offer.effect().inputSchema().path("properties").properties().stream())
        .filter(property -> property.getValue().has(FileRule.KEYWORD))
        .map(property -> property.getKey())
        .findFirst();
  }

  /** The same request in the fields of the API's own. */
  private static ObjectNode fields(ObjectNode body, Optional<String> property) {
    for (String name : body.propertyNames()) {
      if (!FIELDS.contains(name)) {
        throw ProblemException.invalid(
            "/" + Params.pointer(name), "is not a field of this request");
      }
    }
    JsonNode payload = body.path("input_payload");
    if (!payload.isObject() && !payload.isNull() && !payload.isMissingNode()) {
      throw ProblemException.invalid("/input_payload", "must be an object");
    }
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    ObjectNode input = fields.putObject("input");
    payload.properties().forEach(field -> input.set(field.getKey(), field.getValue()));
    String file = body.hasNonNull("video_id") ? "video_id" : "input_file_id";
    if (body.hasNonNull(file)) {
      if (Params.uuid(body.path(file).asString("")).isEmpty()) {
        throw ProblemException.invalid("/" + file, "must be the id of a video");
      }
      property.ifPresent(name -> input.set(name, body.path(file)));
      fields.putObject("related").put("type", VideosJson.VIDEO).set("id", body.path(file));
    }
    copy(body, "effect_id", fields, "effect");
    for (String same : List.of("idempotency_key", "priority", "user", "workspace")) {
      copy(body, same, fields, same);
    }
    return fields;
  }

  private static void copy(ObjectNode from, String name, ObjectNode to, String as) {
    if (from.hasNonNull(name)) {
      to.set(as, from.path(name));
    }
  }

  private static String ownPath(String path, String fileProperty) {
    if (path.equals("/input/" + fileProperty) || path.equals("/related")) {
      return "/video_id";
    }
    if (path.equals("/effect")) {
      return "/effect_id";
    }
    return path.startsWith("/input") ? "/input_payload" + path.substring("/input".length()) : path;
  }

  private Response show(Request request, Principal principal) {
    JobView job = shown.find(request, principal);
    return Envelope.good(200, VideosJson.aiJob(job, shown.outputs(job)), "Job retrieved");
  }
}
