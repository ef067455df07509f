package dev.millrace.web.dialect.processes;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.history.EventView;
import dev.millrace.postgres.history.Events;
import dev.millrace.postgres.jobs.ActiveFirst;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.postgres.tenants.Visibility;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.job.JobAnswers;
import dev.millrace.web.api.job.JobStream;
import dev.millrace.web.api.job.SubmitAnswers;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.DatabaseProblems;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The six calls of this dialect. */
public final class ProcessRoutes {

  private static final int LISTED = 30;
  private static final int MOST_EVENTS = 1_000;
  private static final Duration WINDOW = Duration.ofSeconds(25);
  private static final String EVENT_NAME = "process-event";

  private final Authentication authentication;
  private final Events events;
  private final JobStream stream;
  private final JobActions actions;
  private final SubmitAnswers answers;
  private final JobAnswers shown;

  public ProcessRoutes(
      Authentication authentication,
      Events events,
      JobStream stream,
      JobActions actions,
      SubmitAnswers answers) {
    this.authentication = authentication;
    this.events = events;
    this.stream = stream;
    this.actions = actions;
    this.answers = answers;
    this.shown = answers.shown();
  }

  public List<Route> routes() {
    return Stream.of(
            Route.get("/api/processes", authentication.require(Scope.JOBS_READ, this::list)),
            Route.get("/api/processes/{id}", authentication.require(Scope.JOBS_READ, this::show)),
            Route.get(
                "/api/processes/{id}/events",
                authentication.require(Scope.JOBS_READ, this::events)),
            Route.get(
                "/api/processes/{id}/stream",
                authentication.requireOrTicket(Scope.JOBS_READ, this::stream)),
            Route.post(
                "/api/processes/{id}/retry", authentication.require(Scope.JOBS_WRITE, this::retry)),
            Route.post(
                "/api/processes/{id}/cancel",
                authentication.require(Scope.JOBS_WRITE, this::cancel)))
        .map(route -> route.behind(DatabaseProblems.asProblems()).behind(ProcessErrors::filter))
        .toList();
  }

  private Response list(Request request, Principal principal) {
    String workspace =
        Params.workspace(principal, request.query("workspace_id").orElse(null), "workspace_id");
    Visibility whose = new Visibility(principal.tenant(), principal.user(), workspace);
    ObjectNode json = JsonMapper.shared().createObjectNode();
    var data = json.putArray("data");
    Jobs.Filter filter = new Jobs.Filter(whose, null, null, null, null, LISTED);
    ActiveFirst.list(shown.jobs(), filter, false)
        .forEach(job -> data.add(ProcessesJson.process(job)));
    return Response.json(200, json);
  }

  private Response show(Request request, Principal principal) {
    return answer(200, find(request, principal));
  }

  /** Clients look for a process beside {@code data} or in it. */
  private static Response answer(int status, JobView job) {
    ObjectNode process = ProcessesJson.process(job);
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.set("data", process.deepCopy());
    json.setAll(process);
    return Response.json(status, json);
  }

  private Response events(Request request, Principal principal) {
    JobView job = find(request, principal);
    int after = Params.wholeNumber(request, "after_id", 0, 0, Integer.MAX_VALUE);
    ObjectNode json = JsonMapper.shared().createObjectNode();
    var data = json.putArray("data");
    List<EventView> found = events.after(job.request().tenantId(), job.id(), after, MOST_EVENTS);
    found.forEach(event -> data.add(ProcessesJson.event(job.id(), event)));
    return Response.json(200, json);
  }

  /** One that is over, or waits for a person, is told to its last event and ends at once. */
  private Response stream(Request request, Principal principal) {
    JobView job = find(request, principal);
    int after = Math.min(JobStream.cursor(request), job.report().events());
    boolean over = JobStream.isEnd(job.state()) && after >= job.report().events();
    JobId id = new JobId(job.request().tenantId(), job.id());
    JobStream.Wording wording =
        new JobStream.Wording(EVENT_NAME, event -> ProcessesJson.event(job.id(), event), WINDOW);
    return DatabaseProblems.stream(sink -> {
      if (!over) {
        stream.follow(id, after, wording, sink);
      }
    });
  }

  private Response retry(Request request, Principal principal) throws InterruptedException {
    JobView job = find(request, principal);
    Body.ofOptional(request).requireGood();
    if (!ProcessesJson.failed(job.state())) {
      throw Refusals.notNow(job.state(), "retried");
    }
    SubmitAnswers.Submitted submitted =
        answers.require(Refusals.requireRetried(actions.retry(principal, job, null, true)));
    JobView made = submitted.made();
    return made == null ? now(principal, submitted.id()) : answer(201, made);
  }

  private Response cancel(Request request, Principal principal) throws InterruptedException {
    JobView job = find(request, principal);
    Body.ofOptional(request).requireGood();
    Refusals.requireDone(actions.cancel(principal, job), "canceled");
    return now(principal, job.id());
  }

  private Response now(Principal principal, UUID id) {
    return answer(200, shown.now(principal, id).orElseThrow(ProblemException::notFound));
  }

  private JobView find(Request request, Principal principal) {
    return shown.find(request, principal);
  }
}
