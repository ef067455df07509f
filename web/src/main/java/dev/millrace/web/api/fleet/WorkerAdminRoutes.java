package dev.millrace.web.api.fleet;

import dev.millrace.postgres.fleet.WorkerView;
import dev.millrace.postgres.fleet.Workers;
import dev.millrace.postgres.fleet.Workers.Change;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.fleet.Fleet;
import dev.millrace.service.fleet.WorkerToken;
import dev.millrace.service.jobs.Offers;
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
  private final Fleet fleet;
  private final Workers workers;
  private final Audit audit;
  private final WorkerJson json;

  public WorkerAdminRoutes(
      Authentication authentication, Fleet fleet, Offers offers, Workers workers, Audit audit) {
    this.authentication = authentication;
    this.fleet = fleet;
    this.workers = workers;
    this.audit = audit;
    this.json = new WorkerJson(fleet, offers);
  }

  /** Something done to a worker that exists and was not revoked. */
  @FunctionalInterface
  private interface Deed {
    Optional<WorkerView> on(Request request, String id) throws Exception;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/admin/workers", authentication.require(Role.ADMIN, this::list)),
        Route.get("/api/admin/workers/{worker}", authentication.require(Role.ADMIN, this::show)),
        Route.delete(
            "/api/admin/workers/{worker}", authentication.require(Role.ADMIN, this::remove)),
        Route.post(
            "/api/admin/workers/{worker}/approve",
            deed("worker.approve", (_, id) -> workers.change(id, Change.APPROVE))),
        Route.post(
            "/api/admin/workers/{worker}/drain",
            deed("worker.drain", (_, id) -> workers.change(id, Change.DRAIN))),
        Route.post(
            "/api/admin/workers/{worker}/resume",
            deed("worker.resume", (_, id) -> workers.change(id, Change.RESUME))),
        Route.post(
            "/api/admin/workers/{worker}/revoke", authentication.require(Role.ADMIN, this::revoke)),
        Route.post(
            "/api/admin/workers/{worker}/rotate", authentication.require(Role.ADMIN, this::rotate)),
        Route.put("/api/admin/workers/{worker}/workflows", deed("worker.assign", this::assign)));
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
    return Optional.of(request.pathParameter("worker"))
        .filter(WorkerReader::isWorker)
        .flatMap(workers::find)
        .orElseThrow(ProblemException::notFound);
  }

  private WorkerView findGood(Request request) {
    WorkerView worker = find(request);
    if (worker.revoked()) {
      throw new ProblemException(
          409,
          "already_revoked",
          "This worker was revoked for good. Remove it, and it can register again.");
    }
    return worker;
  }

  private RouteHandler deed(String action, Deed deed) {
    return authentication.require(
        Role.ADMIN,
        (request, principal) -> {
          String id = findGood(request).id();
          WorkerView after = deed.on(request, id).orElseThrow(ProblemException::notFound);
          fleet.changed(after);
          audit.write(principal.audit(action, id, detail(after)));
          return Response.json(200, json.worker(after));
        });
  }

  private Optional<WorkerView> assign(Request request, String id) {
    Body body = Body.of(request, "workflow_slugs");
    List<String> slugs = WorkerReader.slugs(body, "workflow_slugs", 1, 100);
    if (slugs == null) {
      body.wrong("workflow_slugs", "is required");
    }
    body.requireGood();
    return workers.reassign(
        id, fleet.enrolment().queues("/workflow_slugs", slugs == null ? List.of() : slugs));
  }

  private Response revoke(Request request, Principal principal) throws InterruptedException {
    WorkerView revoked =
        fleet.dismissal().revoke(find(request).id()).orElseThrow(ProblemException::notFound);
    audit.write(principal.audit("worker.revoke", revoked.id(), detail(revoked)));
    return Response.json(200, json.worker(revoked));
  }

  private Response rotate(Request request, Principal principal) {
    String id = findGood(request).id();
    WorkerToken token = WorkerToken.random();
    WorkerView after = workers.rotate(id, token.hash()).orElseThrow(ProblemException::notFound);
    fleet.changed(after);
    audit.write(principal.audit("worker.rotate", id, null));
    return Response.json(200, json.worker(after).put("token", token.text()));
  }

  private Response remove(Request request, Principal principal) throws InterruptedException {
    WorkerView worker = find(request);
    if (!fleet.dismissal().remove(worker)) {
      throw ProblemException.notFound();
    }
    audit.write(principal.audit("worker.remove", worker.id(), null));
    return Response.empty(204);
  }

  private String detail(WorkerView worker) {
    ObjectNode detail = JsonMapper.shared().createObjectNode().put("status", worker.status());
    var slugs = detail.putArray("workflows");
    json.slugs(worker.workflowIds()).forEach(slugs::add);
    return detail.toString();
  }
}
