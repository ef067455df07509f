package dev.millrace.web.api.job;

import dev.millrace.postgres.jobs.TaskJobs;
import dev.millrace.postgres.jobs.TaskView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.tasks.BulkTasks;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One action on every job that a filter names. */
public final class TaskRoutes {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Authentication authentication;
  private final BulkTasks tasks;

  public TaskRoutes(Authentication authentication, BulkTasks tasks) {
    this.authentication = authentication;
    this.tasks = tasks;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/admin/tasks", authentication.require(Scope.TASKS_WRITE, this::create)),
        Route.get("/api/admin/tasks", authentication.require(Scope.TASKS_READ, this::list)),
        Route.get("/api/admin/tasks/{id}", authentication.require(Scope.TASKS_READ, this::show)),
        Route.post(
            "/api/admin/tasks/{id}/stop", authentication.require(Scope.TASKS_WRITE, this::stop)));
  }

  private Response create(Request request, Principal principal) {
    TaskRequestReader.Wanted wanted = TaskRequestReader.read(request);
    if (!wanted.dryRun()) {
      return accepted(
          tasks.create(principal.tenant(), principal.actor(), wanted.action(), wanted.filter()));
    }
    TaskJobs.Quote quote = tasks.quote(principal.tenant(), wanted.action(), wanted.filter());
    ObjectNode json = JSON.createObjectNode();
    json.put("action", wanted.action().label());
    json.set("filter", wanted.filter().toJson());
    json.put("jobs", quote.jobs());
    json.put("credits", quote.credits());
    return Response.json(200, json);
  }

  private Response list(Request request, Principal principal) {
    int limit = Params.limit(request);
    List<TaskView> found = tasks.list(principal.tenant(), Params.cursor(request), limit);
    ObjectNode page = JSON.createObjectNode();
    ArrayNode items = page.putArray("items");
    found.forEach(task -> items.add(json(task)));
    page.put("next_cursor", found.size() < limit ? null : found.getLast().id().toString());
    return Response.json(200, page);
  }

  private Response show(Request request, Principal principal) {
    return Response.json(
        200,
        json(
            tasks
                .find(principal.tenant(), Params.id(request))
                .orElseThrow(ProblemException::notFound)));
  }

  private Response stop(Request request, Principal principal) {
    Body.ofOptional(request).requireGood();
    return Response.json(
        200,
        json(
            Refusals.requireStopped(
                tasks.stop(principal.tenant(), Params.id(request), principal.actor()))));
  }

  /** The answer about a task that was just made. */
  static Response accepted(TaskView task) {
    return Response.json(202, json(task)).header("Location", "/api/admin/tasks/" + task.id());
  }

  private static ObjectNode json(TaskView task) {
    ObjectNode json = JSON.createObjectNode();
    json.put("id", task.id().toString());
    json.put("action", task.request().action());
    json.set("filter", JSON.readTree(task.request().filter()));
    json.put("state", task.state().label());
    json.put("seen", task.counts().seen());
    json.put("done", task.counts().done());
    json.put("skipped", task.counts().skipped());
    json.put("failed", task.counts().failed());
    json.put("credits", task.counts().credits());
    json.put("actor", task.request().actor());
    json.put("created_at", task.times().createdAt().toString());
    json.put("finished_at", JobJson.text(task.times().finishedAt()));
    return json;
  }
}
