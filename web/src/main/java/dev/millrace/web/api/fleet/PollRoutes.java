package dev.millrace.web.api.fleet;

import dev.millrace.service.fleet.Polling;
import dev.millrace.service.fleet.Polling.Polled;
import dev.millrace.service.fleet.WorkerTokens.Caller;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** How a worker gets its jobs. */
public final class PollRoutes {

  private final WorkerAccess access;
  private final Polling polling;
  private final WorkerUrls urls;
  private final WorkerJson json;

  public PollRoutes(WorkerAccess access, Polling polling, WorkerUrls urls, WorkerJson json) {
    this.access = access;
    this.polling = polling;
    this.urls = urls;
    this.json = json;
  }

  public List<Route> routes() {
    return List.of(access.known("poll", this::poll));
  }

  private Response poll(Request request, Caller caller) throws InterruptedException {
    WorkerReader.Poll asked = WorkerReader.poll(request);
    Polled polled =
        polling.poll(caller, asked.max(), asked.patience(), urls.of(request), asked.wish());
    Polled.Answered answered = FleetRefusals.requireAnswered(polled);
    ObjectNode answer =
        JsonMapper.shared().createObjectNode().put("status", answered.status().label());
    var jobs = answer.putArray("jobs");
    answered.jobs().forEach(each -> jobs.add(json.handed(each)));
    return Response.json(200, answer);
  }
}
