package dev.millrace.web.dialect.videos;

import dev.millrace.postgres.fleet.HeldLease;
import dev.millrace.service.files.UploadedOutputs.Carried;
import dev.millrace.web.api.fleet.WorkerCalls;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.dialect.OwnFields;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.ResponseBody;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.RouteHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The seven calls of this dialect's workers, and the place for what they bring. */
final class VideoWorkerRoutes {

  private static final String PATH = "/videos/api/worker/";

  private static final int MOST_SLOTS = 1_000;

  /** How long a worker can keep us waiting for an output in total. */
  private static final Duration UPLOAD_TIME = Duration.ofHours(1);

  private final WorkerCalls calls;
  private final WorkerJobJson json;

  VideoWorkerRoutes(WorkerCalls calls, WorkerJobJson json) {
    this.calls = calls;
    this.json = json;
  }

  List<Route> routes() {
    return List.of(
        route("register", this::register),
        route("poll", this::poll),
        route("heartbeat", this::heartbeat),
        route("complete", this::complete),
        route("fail", this::fail),
        route("requeue", this::requeue),
        route("deregister", this::deregister),
        Route.put(WorkerJobJson.OUTPUTS + "{id}", this::output)
            .accepting(calls.files().maxBytes(), UPLOAD_TIME));
  }

  private static Route route(String call, RouteHandler handler) {
    return Route.post(
        PATH + call,
        request -> {
          try {
            return handler.handle(request);
          } catch (ProblemException e) {
            throw OwnFields.in(e, VideoWorkerRoutes::ownPath);
          }
        });
  }

  private static String ownPath(String path) {
    return switch (path) {
      case "/job_id" -> "/dispatch_id";
      case "/message" -> "/error_message";
      default -> path.startsWith("/outputs") ? "/output" : path;
    };
  }

  private Response register(Request request) throws Exception {
    ObjectNode asked = request.jsonObject();
    ObjectNode body = JsonMapper.shared().createObjectNode();
    for (String same : List.of("worker_id", "workflow_slugs", "max_concurrency", "capabilities")) {
      copy(asked, same, body, same);
    }
    providers(asked, body);
    JsonNode told = said(calls.call("register", request, body));
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    for (String name : List.of("worker_id", "token", "workflows_assigned")) {
      fields.set(name, told.path(name));
    }
    return Envelope.good(200, fields, "Worker registered");
  }

  private Response poll(Request request) throws Exception {
    ObjectNode asked = request.jsonObject();
    String worker = calls.caller(request);
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    if (isFull(asked)) {
      return Envelope.good(200, withoutJob(fields), "Worker at capacity");
    }
    ObjectNode body = JsonMapper.shared().createObjectNode().put("max", 1);
    copy(asked, "wait", body, "wait");
    providers(asked, body);
    JsonNode told = said(calls.call("poll", request, body));
    JsonNode job = told.path("jobs").path(0);
    if (job.isMissingNode()) {
      boolean draining = told.path("status").asString("").equals("draining");
      return Envelope.good(
          200, withoutJob(fields), draining ? "Worker draining" : "No jobs available");
    }
    fields.set("job", json.job(job, worker, request));
    return Envelope.good(200, fields, "Job leased");
  }

  private static boolean isFull(ObjectNode asked) {
    ObjectNode load = JsonMapper.shared().createObjectNode();
    copy(asked, "current_load", load, "current_load");
    copy(asked, "max_concurrency", load, "max_concurrency");
    Body body = Body.of(load, "current_load", "max_concurrency");
    Integer now = body.countOrNull("current_load", MOST_SLOTS);
    Integer most = body.countOrNull("max_concurrency", MOST_SLOTS);
    body.requireGood();
    return most != null && (now == null ? 0 : now) >= most;
  }

  private static ObjectNode withoutJob(ObjectNode fields) {
    fields.putNull("job");
    return fields;
  }

  private Response heartbeat(Request request) throws Exception {
    ObjectNode asked = request.jsonObject();
    ObjectNode body = lease(asked);
    for (String same : List.of("progress", "step", "message")) {
      copy(asked, same, body, same);
    }
    JsonNode told = said(calls.call("heartbeat", request, body));
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    fields.set("lease_expires_at", told.path("lease_expires_at"));
    fields.set("cancel", told.path("cancel"));
    return Envelope.good(200, fields, "Lease extended");
  }

  /** What lies in the attempt's place counts, whatever the worker says of it. */
  private Response complete(Request request) throws Exception {
    ObjectNode asked = request.jsonObject();
    ObjectNode body = lease(asked);
    ArrayNode outputs = body.putArray("outputs");
    Optional<HeldLease> held = held(request, asked);
    if (held.isEmpty()) {
      // Whoever completed it before is answered the same, and everybody else that it is over.
      outputs.addObject().put("text", "?");
    } else {
      Carried carried =
          calls
              .files()
              .carried(held.get())
              .orElseThrow(() ->
                  new ProblemException(
                      409,
                      "upload_missing",
                      "Nothing was uploaded yet. PUT the output to output_url first."));
      outputs
          .addObject()
          .put("key", carried.key())
          .put("size", carried.claim().size())
          .put("sha256", carried.claim().sha256())
          .put("media_type", carried.claim().mediaType());
    }
    return ended(calls.call("complete", request, body), "Job completed");
  }

  private Optional<HeldLease> held(Request request, ObjectNode asked) {
    String worker = calls.caller(request);
    return id(asked.path("dispatch_id"))
        .flatMap(
            job -> id(asked.path("lease_token")).flatMap(token -> calls.held(worker, job, token)));
  }

  private static Optional<UUID> id(JsonNode node) {
    return Params.uuid(node.asString(""));
  }

  /** In this dialect what a worker gives up is given up. */
  private Response fail(Request request) throws Exception {
    ObjectNode asked = request.jsonObject();
    ObjectNode body = lease(asked).put("error_class", "permanent");
    JsonNode said = asked.path("error_message");
    String message = said.isObject() || said.isArray() ? said.toString() : said.asString("");
    body.put("message", message.isBlank() ? "Processing failed." : message);
    return ended(calls.call("fail", request, body), "Job failed");
  }

  private Response requeue(Request request) throws Exception {
    ObjectNode asked = request.jsonObject();
    ObjectNode body = lease(asked);
    copy(asked, "reason", body, "reason");
    return ended(calls.call("requeue", request, body), "Job requeued");
  }

  private Response deregister(Request request) throws Exception {
    calls.call("deregister", request, JsonMapper.shared().createObjectNode());
    return Envelope.good(200, JsonMapper.shared().createObjectNode(), "Worker deregistered");
  }

  /** An output on its way to the store. The headers are those that the job was handed with. */
  private Response output(Request request) throws IOException {
    String worker = request.header(WorkerJobJson.WORKER).orElse("");
    HeldLease lease =
        request
            .header(WorkerJobJson.LEASE)
            .flatMap(Params::uuid)
            .flatMap(token -> calls.held(worker, Params.id(request), token))
            .orElseThrow(calls::staleLease);
    if (calls.files().carry(lease, request.bodyStream()).isEmpty()) {
      throw ProblemException.tooLarge();
    }
    return Response.empty(200);
  }

  private static ObjectNode lease(ObjectNode asked) {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    copy(asked, "dispatch_id", body, "job_id");
    copy(asked, "lease_token", body, "lease_token");
    return body;
  }

  private static void providers(ObjectNode asked, ObjectNode body) {
    if (!(asked.path("providers") instanceof ArrayNode named)) {
      copy(asked, "providers", body, "providers");
    } else if (!named.isEmpty()) {
      ArrayNode ours = body.putArray("providers");
      named
          .values()
          .forEach(each -> {
            if (each.isString()) {
              ours.add(ProviderLabels.ours(each.stringValue()));
            } else {
              ours.add(each);
            }
          });
    }
  }

  private static void copy(ObjectNode from, String name, ObjectNode to, String as) {
    if (from.hasNonNull(name)) {
      to.set(as, from.path(name));
    }
  }

  private static Response ended(Response told, String message) {
    JsonNode said = said(told);
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    fields.set("dispatch_id", said.path("job_id"));
    fields.set("job_id", said.path("job_id"));
    fields.set("state", said.path("state"));
    if (said.has("error")) {
      fields.set("error", said.path("error"));
    }
    return Envelope.good(200, fields, message);
  }

  private static JsonNode said(Response response) {
    return response.body() instanceof ResponseBody.Bytes bytes
        ? JsonMapper.shared().readTree(bytes.content())
        : JsonMapper.shared().createObjectNode();
  }
}
