package dev.millrace.web.api.job;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.history.EventView;
import dev.millrace.postgres.history.Events;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A job's events, by cursor and as a stream; both count the same way. */
public final class HistoryRoutes {

  private static final int PAGE = 500;
  private static final JobStream.Wording WORDING =
      new JobStream.Wording("job-event", JobJson::event, null);

  private final Authentication authentication;
  private final Jobs jobs;
  private final Events events;
  private final JobStream stream;

  public HistoryRoutes(Authentication authentication, Jobs jobs, Events events, JobStream stream) {
    this.authentication = authentication;
    this.jobs = jobs;
    this.events = events;
    this.stream = stream;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/jobs/{id}/events", authentication.require(Scope.JOBS_READ, this::page)),
        Route.get(
            "/api/jobs/{id}/stream",
            authentication.requireOrTicket(Scope.JOBS_READ, this::stream)));
  }

  private Response page(Request request, Principal principal) {
    JobView job = find(request, principal);
    int after = Params.wholeNumber(request, "after_id", 0, 0, Integer.MAX_VALUE);
    int limit = Params.wholeNumber(request, "limit", PAGE, 1, PAGE);
    List<EventView> found = events.after(job.request().tenantId(), job.id(), after, limit);
    requireHistory(job, after, found);
    ObjectNode json = JsonMapper.shared().createObjectNode();
    var items = json.putArray("items");
    found.forEach(event -> items.add(JobJson.event(event)));
    json.put("last_event_id", found.isEmpty() ? after : found.getLast().seq());
    return Response.json(200, json);
  }

  private Response stream(Request request, Principal principal) {
    JobView job = find(request, principal);
    // Nobody can have seen more than there is; who claims so would wait for an end that has been.
    int after = Math.min(JobStream.cursor(request), job.report().events());
    if (after >= job.report().events() && job.state().terminal()) {
      // Nothing will follow. To an event source, 204 means: do not come back. A job that waits for
      // a person goes on one day, so whoever comes back to it waits with it.
      return Response.empty(204);
    }
    if (JobStream.isEnd(job.state())) {
      requireHistory(job, after, events.after(job.request().tenantId(), job.id(), after, 1));
    }
    // The stream may wait for hours, and needs no more than this of the job.
    JobId id = new JobId(job.request().tenantId(), job.id());
    return DatabaseProblems.stream(sink -> stream.follow(id, after, WORDING, sink));
  }

  /** Events that a job counts and that are nowhere were archived with their month. */
  private void requireHistory(JobView job, int after, List<EventView> found) {
    if (found.isEmpty() && after < job.report().events() && events.archived(job.id())) {
      throw new ProblemException(
          410,
          "history_archived",
          "The events of this job were archived with their month, as this server's retention asks."
              + " The job itself, the totals of its receipt and its files are still here.");
    }
  }

  private JobView find(Request request, Principal principal) {
    return jobs.find(principal.visibility(), Params.id(request))
        .orElseThrow(ProblemException::notFound);
  }
}
