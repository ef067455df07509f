package dev.millrace.web.dialect.replicate;

import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.access.JobLinks;
import dev.millrace.service.live.Hub;
import dev.millrace.service.live.Waiter;
import dev.millrace.web.api.job.JobAnswers;
import dev.millrace.web.api.job.JobStream;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.SseSink;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What comes of a job as a stream of events, for clients that ask for it without a key. The code in
 * the address stands for the job alone, so the pages of any origin may read it.
 */
final class StreamRoutes {

  private static final String ANY_ORIGIN = "Access-Control-Allow-Origin";

  private final JobLinks links;
  private final JobAnswers shown;
  private final Hub hub;
  private final PredictionJson json;
  private final PublicUrl publicUrl;

  StreamRoutes(
      JobLinks links, JobAnswers shown, Hub hub, PredictionJson json, PublicUrl publicUrl) {
    this.links = links;
    this.shown = shown;
    this.hub = hub;
    this.json = json;
    this.publicUrl = publicUrl;
  }

  List<Route> routes() {
    return List.of(Route.get("/replicate/stream/{code}", this::stream));
  }

  private JobId named(Request request) {
    return links.job(request.pathParameter("code")).orElseThrow(ProblemException::notFound);
  }

  private Optional<JobView> find(JobId id) {
    return shown.jobs().find(Visibility.of(id.tenant()), id.uuid());
  }

  private Response stream(Request request) {
    JobId id = named(request);
    if (find(id).isEmpty()) {
      throw ProblemException.notFound();
    }
    int after =
        request
            .header("last-event-id")
            .filter(text -> text.matches("[0-9]{1,4}"))
            .map(Integer::parseInt)
            .orElse(0);
    URI base = publicUrl.of(request);
    return DatabaseProblems.stream(sink -> follow(id, after, base, sink)).header(ANY_ORIGIN, "*");
  }

  private void follow(JobId id, int after, URI base, SseSink sink) throws InterruptedException {
    try (Waiter news = hub.forJob(id.uuid())) {
      sink.onClose(news::wake);
      while (!sink.closing()) {
        Optional<JobView> job = find(id);
        if (job.isEmpty() || job.get().state().terminal()) {
          job.ifPresent(ended -> tell(ended, after, base, sink));
          return;
        }
        if (!news.await(JobStream.HEARTBEAT)) {
          sink.comment("still here");
        }
      }
    }
  }

  private void tell(JobView job, int after, URI base, SseSink sink) {
    if (job.state() == State.COMPLETED) {
      List<FileView> outputs = shown.outputs(job);
      List<JsonNode> values = json.values(job, outputs, base);
      for (int i = after; i < values.size(); i++) {
        JsonNode value = values.get(i);
        sink.event(
            Integer.toString(i + 1),
            "output",
            value.isString() ? value.stringValue() : value.toString());
      }
      sink.event(Integer.toString(values.size() + 1), "done", "{}");
      return;
    }
    boolean canceled = job.state() == State.CANCELED;
    if (!canceled) {
      String message = job.tries().errorMessage();
      sink.event(
          null,
          "error",
          JsonMapper.shared()
              .createObjectNode()
              .put("detail", message == null ? "It ended as " + job.state().label() : message)
              .toString());
    }
    sink.event(null, "done", "{\"reason\":\"%s\"}".formatted(canceled ? "canceled" : "error"));
  }
}
