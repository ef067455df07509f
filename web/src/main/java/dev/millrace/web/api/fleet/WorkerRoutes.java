package dev.millrace.web.api.fleet;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.service.files.UploadedOutputs;
import dev.millrace.service.fleet.DeliveredOutput;
import dev.millrace.service.fleet.Enrolment;
import dev.millrace.service.fleet.Fleet;
import dev.millrace.service.fleet.Polling;
import dev.millrace.service.fleet.WorkerFiles;
import dev.millrace.service.fleet.WorkerReports;
import dev.millrace.service.fleet.WorkerReports.Claimed;
import dev.millrace.service.fleet.WorkerReports.News;
import dev.millrace.service.fleet.WorkerReports.Trouble;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.service.jobs.Offers;
import dev.millrace.storage.PartPlan;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.RouteHandler;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The protocol of pull workers: register, poll, and say what becomes of each job. */
public final class WorkerRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();

  private static final String NO_ROOM =
      "The job's summary has no room for more than %d characters in %d keys; it stays as it was."
          .formatted(Summary.MOST_CHARACTERS, Summary.MOST_KEYS);

  private final Fleet fleet;
  private final WorkerJson json;
  private final PublicUrl publicUrl;

  private final MeterRegistry meters;

  public WorkerRoutes(Fleet fleet, Offers offers, PublicUrl publicUrl, MeterRegistry meters) {
    this.fleet = fleet;
    this.meters = meters;
    this.publicUrl = publicUrl;
    this.json = new WorkerJson(fleet, offers);
  }

  /** A handler that knows which worker is calling. */
  @FunctionalInterface
  private interface Called {
    Response handle(Request request, Caller caller) throws Exception;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/worker/register", counted("register", this::register)),
        known("poll", this::poll),
        known("heartbeat", this::heartbeat),
        known("upload", this::upload),
        known("upload/parts", this::uploadParts),
        known("complete", this::complete),
        known("fail", this::fail),
        known("requeue", this::requeue),
        known("canceled", this::canceled),
        known("deregister", this::deregister));
  }

  private Route known(String call, Called handler) {
    return Route.post(
        "/api/worker/" + call,
        counted(call, request -> handler.handle(request, fleet.roster().require(request))));
  }

  /** Polls and heartbeats have no line in the audit; that they come, and how many, is seen here. */
  private RouteHandler counted(String call, RouteHandler handler) {
    Counter answered = counter(call, "answered");
    Counter refused = counter(call, "refused");
    return request -> {
      Counter counter = refused;
      try {
        Response response = handler.handle(request);
        counter = answered;
        return response;
      } finally {
        counter.increment();
      }
    };
  }

  private Counter counter(String call, String outcome) {
    return Counter.builder("millrace.worker.calls")
        .description("How often workers called")
        .tag("call", call)
        .tag("outcome", outcome)
        .register(meters);
  }

  private Response register(Request request) {
    fleet.enrolment().requireSecret(request);
    Enrolment.Enrolled enrolled = fleet.enrolment().register(WorkerReader.application(request));
    return Response.json(201, json.enrolled(enrolled.worker(), enrolled.token().text()));
  }

  private Response poll(Request request, Caller caller) throws InterruptedException {
    WorkerReader.Poll asked = WorkerReader.poll(request);
    Polling.Polled polled =
        fleet
            .polling()
            .poll(caller, asked.max(), asked.patience(), terms(request), asked.notReady());
    ObjectNode answer = JSON.createObjectNode().put("status", polled.status());
    var jobs = answer.putArray("jobs");
    polled.jobs().forEach(handed -> jobs.add(json.handed(handed)));
    return Response.json(200, answer);
  }

  private Response heartbeat(Request request, Caller caller) throws InterruptedException {
    Body body = WorkerReader.words(request, "progress", "step", "message", "summary", "fresh_urls");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    News news = WorkerReader.news(body);
    boolean fresh = body.flag("fresh_urls", false);
    body.requireGood();
    WorkerReports.Beat beat = fleet.reports().heartbeat(claimed, news);
    Job job = beat.job();
    Lease lease = Objects.requireNonNull(job.lease());
    ObjectNode answer =
        JSON.createObjectNode()
            .put("lease_expires_at", lease.expiresAt().toString())
            .put("cancel", job.state() == State.CANCELING);
    if (!job.summary().has(news.summary())) {
      answer.put("summary_ignored", NO_ROOM);
    }
    var renewed = fleet.files().renewed(beat.lease(), claimed.token(), terms(request), fresh);
    if (!renewed.isEmpty()) {
      answer.set("assets", WorkerJson.assets(renewed));
    }
    return Response.json(200, answer);
  }

  private Response upload(Request request, Caller caller) {
    Body body = WorkerReader.body(request, "media_type", "size", "sha256");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    UploadedOutputs.Claim claim = WorkerReader.announced(body);
    body.requireGood();
    WorkerFiles.Terms terms = terms(request);
    return Response.json(
        200,
        WorkerJson.upload(
            fleet.files().upload(fleet.reports().require(claimed), claim, terms), terms.base()));
  }

  private Response uploadParts(Request request, Caller caller) {
    Body body = WorkerReader.body(request, "key", "upload_id", "size", "part_bytes", "numbers");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    WorkerReader.Parts parts = WorkerReader.parts(body);
    body.requireGood();
    WorkerFiles.Terms terms = terms(request);
    return Response.json(
        200,
        WorkerJson.parts(
            fleet
                .files()
                .renewParts(
                    fleet.reports().require(claimed),
                    parts.key(),
                    parts.uploadId(),
                    new PartPlan(parts.size(), parts.partBytes()),
                    parts.numbers(),
                    terms),
            terms.base()));
  }

  /** URLs live as long as the lease that they are for. */
  private WorkerFiles.Terms terms(Request request) {
    return new WorkerFiles.Terms(fleet.lease(), publicUrl.of(request));
  }

  private Response complete(Request request, Caller caller) throws InterruptedException {
    Body body = WorkerReader.body(request, "outputs", "summary");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    List<DeliveredOutput> outputs = WorkerReader.outputs(body);
    var summary = WorkerReader.facts(body, "summary");
    body.requireGood();
    WorkerReports.Left left = fleet.reports().complete(claimed, outputs, summary);
    return Response.json(200, WorkerJson.left(claimed, left));
  }

  private Response fail(Request request, Caller caller) throws InterruptedException {
    Body body = WorkerReader.words(request, "error_class", "message", "retry_after_seconds");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    Trouble trouble = WorkerReader.trouble(body);
    body.requireGood();
    return state(claimed, fleet.reports().fail(claimed, trouble));
  }

  private Response requeue(Request request, Caller caller) throws InterruptedException {
    Body body = WorkerReader.words(request, "reason");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    String reason = WorkerReader.reason(body);
    body.requireGood();
    return state(claimed, fleet.reports().requeue(claimed, reason));
  }

  private Response canceled(Request request, Caller caller) throws InterruptedException {
    Body body = WorkerReader.body(request);
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    body.requireGood();
    return state(claimed, fleet.reports().canceled(claimed));
  }

  private static Response state(Claimed claimed, String state) {
    return Response.json(200, WorkerJson.left(claimed, new WorkerReports.Left(state, null)));
  }

  private Response deregister(Request request, Caller caller) throws InterruptedException {
    Body.ofOptional(request).requireGood();
    if (fleet.dismissal().remove(caller.worker())) {
      fleet.enrolment().note(caller.worker(), "worker.deregister");
    }
    return Response.empty(204);
  }
}
