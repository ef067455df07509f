package dev.millrace.web.api.fleet;

import dev.millrace.engine.job.Summary;
import dev.millrace.service.fleet.DeliveredOutput;
import dev.millrace.service.fleet.ReportResult;
import dev.millrace.service.fleet.WorkerFiles;
import dev.millrace.service.fleet.WorkerReports;
import dev.millrace.service.fleet.WorkerReports.Claimed;
import dev.millrace.service.fleet.WorkerReports.News;
import dev.millrace.service.fleet.WorkerReports.Trouble;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What a worker says about the jobs that it holds. */
public final class WorkerReportRoutes {

  private static final String NO_ROOM =
      "The job's summary has no room for more than %d characters in %d keys; it stays as it was."
          .formatted(Summary.MOST_CHARACTERS, Summary.MOST_KEYS);

  private final WorkerAccess access;
  private final WorkerReports reports;
  private final WorkerFiles files;
  private final WorkerUrls urls;

  public WorkerReportRoutes(
      WorkerAccess access, WorkerReports reports, WorkerFiles files, WorkerUrls urls) {
    this.access = access;
    this.reports = reports;
    this.files = files;
    this.urls = urls;
  }

  public List<Route> routes() {
    return List.of(
        access.known("heartbeat", this::heartbeat),
        access.known("complete", this::complete),
        access.known("fail", this::fail),
        access.known("requeue", this::requeue),
        access.known("canceled", this::canceled));
  }

  private Response heartbeat(Request request, Caller caller) throws InterruptedException {
    Body body = WorkerReader.words(request, "progress", "step", "message", "summary", "fresh_urls");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    WorkerReader.ReportedSummary facts = WorkerReader.facts(body);
    News news = WorkerReader.news(body, facts.summary());
    boolean fresh = body.flag("fresh_urls", false);
    body.requireGood();
    ReportResult.Extended extended =
        FleetRefusals.requireExtended(reports.heartbeat(claimed, news));
    ObjectNode answer = WorkerJson.extended(extended);
    note(answer, facts, extended.job().summary().has(news.summary()));
    var renewed = files.renewed(extended.lease(), claimed.token(), urls.of(request), fresh);
    if (!renewed.isEmpty()) {
      answer.set("assets", WorkerJson.assets(renewed));
    }
    return Response.json(200, answer);
  }

  private static void note(ObjectNode answer, WorkerReader.ReportedSummary facts, boolean kept) {
    @Nullable String ignored = facts.ignored() == null && !kept ? NO_ROOM : facts.ignored();
    if (ignored != null) {
      answer.put("summary_ignored", ignored);
    }
  }

  private Response complete(Request request, Caller caller) throws InterruptedException {
    Body body = WorkerReader.words(request, "outputs", "summary");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    List<DeliveredOutput> outputs = WorkerReader.outputs(body);
    WorkerReader.ReportedSummary facts = WorkerReader.facts(body);
    body.requireGood();
    return left(claimed, reports.complete(claimed, outputs, facts.summary()), facts);
  }

  private Response fail(Request request, Caller caller) throws InterruptedException {
    Body body = WorkerReader.words(request, "error_class", "message", "retry_after_seconds");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    Trouble trouble = WorkerReader.trouble(body);
    body.requireGood();
    return left(claimed, reports.fail(claimed, trouble), WorkerReader.ReportedSummary.NONE);
  }

  private Response requeue(Request request, Caller caller) throws InterruptedException {
    Body body = WorkerReader.words(request, "reason");
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    String reason = WorkerReader.reason(body);
    body.requireGood();
    return left(claimed, reports.requeue(claimed, reason), WorkerReader.ReportedSummary.NONE);
  }

  private Response canceled(Request request, Caller caller) throws InterruptedException {
    Body body = WorkerReader.body(request);
    Claimed claimed = WorkerReader.claimed(body, caller.id());
    body.requireGood();
    return left(claimed, reports.canceled(claimed), WorkerReader.ReportedSummary.NONE);
  }

  private static Response left(
      Claimed claimed, ReportResult.OfEnding result, WorkerReader.ReportedSummary facts) {
    ReportResult.Ended ended = FleetRefusals.requireEnded(result);
    ObjectNode answer = WorkerJson.ended(claimed, ended);
    note(answer, facts, ended.summaryKept());
    return Response.json(200, answer);
  }
}
