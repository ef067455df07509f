package dev.millrace.web.api.fleet;

import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.fleet.WorkerActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Params;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import dev.millrace.web.http.RouteHandler;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Looking after the fleet. Workers are the installation's, so this is for all of its tenants. Every
 * change leaves a line in the audit.
 */
public final class WorkerAdminRoutes {

  private final Authentication authentication;
  private final WorkerActions actions;
  private final Workers workers;
  private final WorkerJson json;

  public WorkerAdminRoutes(
      Authentication authentication, WorkerActions actions, Workers workers, WorkerJson json) {
    this.authentication = authentication;
    this.actions = actions;
    this.workers = workers;
    this.json = json;
  }

  /** Something that is done to a worker. */
  @FunctionalInterface
  private interface Call {
    WorkerActions.Outcome on(Request request, Principal principal, String id)
        throws InterruptedException;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/admin/workers", authentication.require(Scope.FLEET_READ, this::list)),
        Route.get(
            "/api/admin/workers/{worker}", authentication.require(Scope.FLEET_READ, this::show)),
        Route.delete(
            "/api/admin/workers/{worker}", authentication.require(Scope.FLEET_WRITE, this::remove)),
        post("approve", (_, by, id) -> actions.approve(by, id)),
        post("drain", (_, by, id) -> actions.drain(by, id)),
        post("resume", (_, by, id) -> actions.resume(by, id)),
        post("revoke", (_, by, id) -> actions.revoke(by, id)),
        post("rotate", (_, by, id) -> actions.rotate(by, id)),
        Route.put("/api/admin/workers/{worker}/workflows", changing(this::assign)));
  }

  private Route post(String verb, Call call) {
    return Route.post("/api/admin/workers/{worker}/" + verb, changing(call));
  }

  private RouteHandler changing(Call call) {
    return authentication.require(
        Scope.FLEET_WRITE,
        (request, principal) ->
            Response.json(200, answer(call.on(request, principal, id(request)))));
  }

  private ObjectNode answer(WorkerActions.Outcome outcome) {
    ObjectNode answer = json.worker(FleetRefusals.requireDone(outcome));
    if (outcome instanceof WorkerActions.Outcome.Rotated(_, var token)) {
      answer.put("token", token.text());
    }
    return answer;
  }

  private static String id(Request request) {
    return Optional.of(request.pathParameter("worker"))
        .filter(WorkerReader::isWorker)
        .orElseThrow(ProblemException::notFound);
  }

  private Response list(Request request, Principal principal) {
    int limit = Params.limit(request);
    @Nullable String after = request.query("cursor").orElse(null);
    if (after != null && !WorkerReader.isWorker(after)) {
      throw ProblemException.invalid("cursor", "must be the next_cursor of the page before");
    }
    List<WorkerView> found = workers.list(after, limit + 1);
    List<WorkerView> page = found.size() > limit ? found.subList(0, limit) : found;
    ObjectNode answer = JsonMapper.shared().createObjectNode();
    var items = answer.putArray("items");
    page.forEach(worker -> items.add(json.worker(worker)));
    answer.put("next_cursor", found.size() > limit ? page.getLast().id() : null);
    return Response.json(200, answer);
  }

  private Response show(Request request, Principal principal) {
    return Response.json(200, json.worker(find(request)));
  }

  private WorkerView find(Request request) {
    return workers.find(id(request)).orElseThrow(ProblemException::notFound);
  }

  private WorkerActions.Outcome assign(Request request, Principal principal, String id) {
    Body body = Body.of(request, "workflow_slugs");
    List<String> slugs = WorkerReader.slugs(body, "workflow_slugs", 1, 100);
    if (slugs == null) {
      body.wrong("workflow_slugs", "is required");
    }
    body.requireGood();
    return actions.assign(principal, id, slugs == null ? List.of() : slugs);
  }

  private Response remove(Request request, Principal principal) throws InterruptedException {
    FleetRefusals.requireDone(actions.remove(principal, id(request)));
    return Response.empty(204);
  }
}
