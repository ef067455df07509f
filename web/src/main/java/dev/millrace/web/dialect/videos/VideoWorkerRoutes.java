package dev.millrace.web.dialect.videos;

import dev.millrace.engine.job.Summary;
import dev.millrace.postgres.fleet.HeldLease;
import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.service.files.UploadedOutputs.RelayedOutput;
import dev.millrace.service.fleet.DeliveredOutput;
import dev.millrace.service.fleet.Enrolment.Outcome.Registered;
import dev.millrace.service.fleet.Fleet;
import dev.millrace.service.fleet.Polling.Polled;
import dev.millrace.service.fleet.ReportResult;
import dev.millrace.service.fleet.WorkerReports.Claimed;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.web.api.fleet.FleetRefusals;
import dev.millrace.web.api.fleet.WorkerAccess;
import dev.millrace.web.api.fleet.WorkerJson;
import dev.millrace.web.api.fleet.WorkerReader;
import dev.millrace.web.api.fleet.WorkerUrls;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.dialect.OwnFields;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
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

  /** For a lease that is over: nothing is taken by it. */
  private static final List<DeliveredOutput> NOTHING = List.of();

  /** How long a worker can keep us waiting for an output in total. */
  private static final Duration UPLOAD_TIME = Duration.ofHours(1);

  private final WorkerAccess access;
  private final Fleet.UseCases fleet;
  private final WorkerUrls urls;
  private final WorkerJson workers;
  private final WorkerJobJson jobs;

  VideoWorkerRoutes(
      WorkerAccess access,
      Fleet.UseCases fleet,
      WorkerUrls urls,
      WorkerJson workers,
      WorkerJobJson jobs) {
    this.access = access;
    this.fleet = fleet;
    this.urls = urls;
    this.workers = workers;
    this.jobs = jobs;
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
            .accepting(fleet.files().maxBytes(), UPLOAD_TIME));
  }

  private Route route(String call, RouteHandler handler) {
    RouteHandler counted = access.counted(call, handler);
    return Route.post(
        PATH + call,
        request -> {
          try {
            return counted.handle(request);
          } catch (ProblemException e) {
            throw OwnFields.in(e, VideoWorkerRoutes::ownPath);
          }
        });
  }

  private static String ownPath(String path) {
    return switch (path) {
      case "/job_id" -> "/dispatch_id";
      case "/message" -> "/error_message";
      default -> path;
    };
  }

  private Response register(Request request) {
    ObjectNode asked = request.jsonObject();
    access.requireSecret(request, fleet.enrolment());
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    for (String same : List.of("worker_id", "workflow_slugs", "max_concurrency", "capabilities")) {
      copy(asked, same, fields, same);
    }
    providers(asked, fields);
    Registered registered =
        FleetRefusals.requireRegistered(
            fleet.enrolment().register(WorkerReader.application(fields)));
    ObjectNode answer =
        JsonMapper.shared()
            .createObjectNode()
            .put("worker_id", registered.worker().id())
            .put("token", registered.token().text());
    ArrayNode assigned = answer.putArray("workflows_assigned");
    workers.slugs(registered.worker().workflowIds()).forEach(assigned::add);
    return Envelope.good(200, answer, "Worker registered");
  }

  private Response poll(Request request) throws InterruptedException {
    ObjectNode asked = request.jsonObject();
    Caller caller = access.require(request);
    ObjectNode answer = JsonMapper.shared().createObjectNode();
    if (isFull(asked)) {
      return Envelope.good(200, answer.putNull("job"), "Worker at capacity");
    }
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    copy(asked, "wait", fields, "wait");
    providers(asked, fields);
    WorkerReader.Poll poll = WorkerReader.poll(Body.of(fields, "wait", "providers"));
    Polled.Answered answered =
        FleetRefusals.requireAnswered(
            fleet.polling().poll(caller, 1, poll.patience(), urls.of(request), poll.wish()));
    if (answered.jobs().isEmpty()) {
      boolean draining = answered.status() == WorkerView.Status.DRAINING;
      return Envelope.good(
          200, answer.putNull("job"), draining ? "Worker draining" : "No jobs available");
    }
    answer.set("job", jobs.job(answered.jobs().getFirst(), caller.id(), request));
    return Envelope.good(200, answer, "Job leased");
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

  private Response heartbeat(Request request) throws InterruptedException {
    Caller caller = access.require(request);
    ObjectNode asked = request.mendedJsonObject();
    ObjectNode fields = lease(asked);
    for (String same : List.of("progress", "step", "message")) {
      copy(asked, same, fields, same);
    }
    Body body = Body.of(fields, "job_id", "lease_token", "progress", "step", "message");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    var news = WorkerReader.news(body, Summary.EMPTY);
    body.requireGood();
    return Envelope.good(
        200,
        WorkerJson.extended(
            FleetRefusals.requireExtended(fleet.reports().heartbeat(claimed, news))),
        "Lease extended");
  }

  /** What lies in the attempt's place counts, whatever the worker says of it. */
  private Response complete(Request request) throws InterruptedException {
    Caller caller = access.require(request);
    Claimed claimed = claimed(request.mendedJsonObject(), caller);
    Optional<HeldLease> held = fleet.reports().held(claimed);
    // Whoever completed it before is answered the same, and everybody else that it is over.
    List<DeliveredOutput> outputs = held.isEmpty() ? NOTHING : List.of(carried(held.get()));
    return ended(
        claimed, fleet.reports().complete(claimed, outputs, Summary.EMPTY), "Job completed");
  }

  private DeliveredOutput carried(HeldLease held) {
    RelayedOutput carried =
        fleet
            .files()
            .carried(held)
            .orElseThrow(() ->
                new ProblemException(
                    409,
                    "upload_missing",
                    "Nothing was uploaded yet. PUT the output to output_url first."));
    if (carried.claim().size() < 1) {
      throw ProblemException.invalid("/output", "must have at least one byte");
    }
    return new DeliveredOutput.Uploaded(carried.key(), carried.claim(), null);
  }

  /** In this dialect what a worker gives up is given up. */
  private Response fail(Request request) throws InterruptedException {
    Caller caller = access.require(request);
    ObjectNode asked = request.mendedJsonObject();
    JsonNode told = asked.path("error_message");
    String message = told.isObject() || told.isArray() ? told.toString() : told.asString("");
    Body body =
        Body.of(
            lease(asked)
                .put("error_class", "permanent")
                .put("message", message.isBlank() ? "Processing failed." : message),
            "job_id",
            "lease_token",
            "error_class",
            "message");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    var trouble = WorkerReader.trouble(body);
    body.requireGood();
    return ended(claimed, fleet.reports().fail(claimed, trouble), "Job failed");
  }

  private Response requeue(Request request) throws InterruptedException {
    Caller caller = access.require(request);
    ObjectNode asked = request.mendedJsonObject();
    ObjectNode fields = lease(asked);
    copy(asked, "reason", fields, "reason");
    Body body = Body.of(fields, "job_id", "lease_token", "reason");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    String reason = WorkerReader.reason(body);
    body.requireGood();
    return ended(claimed, fleet.reports().requeue(claimed, reason), "Job requeued");
  }

  private Response deregister(Request request) throws InterruptedException {
    fleet.removal().deregister(access.require(request).worker());
    return Envelope.good(200, JsonMapper.shared().createObjectNode(), "Worker deregistered");
  }

  /** An output on its way to the store. The headers are those that the job was handed with. */
  private Response output(Request request) throws IOException {
    String worker = request.header(WorkerJobJson.WORKER).orElse("");
    UUID job = Params.id(request);
    HeldLease lease =
        request
            .header(WorkerJobJson.LEASE)
            .flatMap(Params::uuid)
            .flatMap(token -> fleet.reports().held(new Claimed(worker, job, token)))
            .orElseThrow(FleetRefusals::staleLease);
    if (fleet.files().carry(lease, request.bodyStream()).isEmpty()) {
      throw ProblemException.tooLarge();
    }
    return Response.empty(200);
  }

  private static Claimed claimed(ObjectNode asked, Caller caller) {
    Body body = Body.of(lease(asked), "job_id", "lease_token");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    body.requireGood();
    return claimed;
  }

  /** Which lease is meant, in the names of our own protocol. */
  private static ObjectNode lease(ObjectNode asked) {
    ObjectNode fields = JsonMapper.shared().createObjectNode();
    copy(asked, "dispatch_id", fields, "job_id");
    copy(asked, "lease_token", fields, "lease_token");
    return fields;
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

  private static Response ended(Claimed claimed, ReportResult.OfEnding result, String message) {
    ObjectNode fields =
        JsonMapper.shared().createObjectNode().put("dispatch_id", claimed.job().toString());
    fields.setAll(WorkerJson.ended(claimed, FleetRefusals.requireEnded(result)));
    return Envelope.good(200, fields, message);
  }
}
