package dev.millrace.web.api.job;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.files.FileView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Jobs;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.EntityTag;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Submitting jobs, looking at them, canceling them. */
public final class JobRoutes {

  private static final Pattern INDEX = Pattern.compile("[0-9]{1,4}");

  private final Authentication authentication;
  private final Submits submits;
  private final JobActions actions;
  private final JobAnswers shown;
  private final SubmitAnswers answers;

  public JobRoutes(
      Authentication authentication,
      Submits submits,
      JobActions actions,
      JobAnswers shown,
      SubmitAnswers answers) {
    this.authentication = authentication;
    this.submits = submits;
    this.actions = actions;
    this.shown = shown;
    this.answers = answers;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/jobs", authentication.require(Scope.JOBS_WRITE, this::submit)),
        Route.get("/api/jobs", authentication.require(Scope.JOBS_READ, this::list)),
        Route.get("/api/jobs/{id}", authentication.require(Scope.JOBS_READ, this::show)),
        Route.get(
            "/api/jobs/{id}/outputs/{index}",
            authentication.require(Scope.JOBS_READ, this::output)),
        Route.post(
            "/api/jobs/{id}/cancel", authentication.require(Scope.JOBS_WRITE, this::cancel)));
  }

  private Response submit(Request request, Principal principal) throws InterruptedException {
    return answers.answer(
        submits.submit(request.jsonObject(), request, principal), request, principal);
  }

  private Response list(Request request, Principal principal) {
    int limit = Params.limit(request);
    JobOrder order = JobOrder.of(request);
    List<JobView> found =
        order.list(
            shown.jobs(),
            new Jobs.Filter(
                Params.wanted(request, principal),
                request.query("effect").orElse(null),
                request.query("state").map(JobRoutes::states).orElse(null),
                Params.uuidOrNull(request, "batch"),
                order.before(),
                limit));
    Map<UUID, List<FileView>> outputs = shown.outputs(principal.tenant(), found);
    ObjectNode page = JsonMapper.shared().createObjectNode();
    var items = page.putArray("items");
    for (JobView job : found) {
      items.add(shown.json(job, outputs.getOrDefault(job.id(), List.of()), request));
    }
    page.put("next_cursor", found.size() < limit ? null : order.cursor(found.getLast()));
    return Response.json(200, page);
  }

  private static List<State> states(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(label ->
            State.find(label)
                .orElseThrow(
                    () -> ProblemException.invalid("state", "names a state that does not exist")))
        .toList();
  }

  private Response show(Request request, Principal principal) {
    JobView job = shown.find(request, principal);
    List<FileView> outputs = shown.outputs(job);
    EntityTag tag = shown.tag(job, outputs);
    if (tag.isIn(request.headers("if-none-match"))) {
      return Response.empty(304).header("ETag", tag.toString());
    }
    return Response.json(200, shown.json(job, outputs, request)).header("ETag", tag.toString());
  }

  private Response output(Request request, Principal principal) {
    JobView job = shown.find(request, principal);
    String index = request.pathParameter("index");
    if (!INDEX.matcher(index).matches()) {
      throw ProblemException.notFound();
    }
    return shown.toOutput(job, Integer.parseInt(index), request);
  }

  private Response cancel(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Refusals.requireDone(actions.cancel(principal, job), "canceled");
    return shown.answer(200, request, principal, job.id());
  }
}
