package dev.millrace.web.api.fleet;

import dev.millrace.postgres.jobs.QueueView;
import dev.millrace.postgres.jobs.Queues;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** How full the queues are, in numbers that an autoscaler finds by a path. */
public final class QueueRoutes {

  private final Authentication authentication;
  private final Queues queues;

  public QueueRoutes(Authentication authentication, Queues queues) {
    this.authentication = authentication;
    this.queues = queues;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/admin/queues", authentication.require(Scope.QUEUES_READ, this::all)),
        Route.get(
            "/api/admin/queues/{workflow}", authentication.require(Scope.QUEUES_READ, this::one)));
  }

  private Response all(Request request, Principal principal) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    ObjectNode workflows = json.putObject("workflows");
    List<QueueView> standing = queues.standing();
    standing.forEach(queue -> workflows.set(queue.workflow(), json(queue)));
    json.put("depth", standing.stream().mapToLong(queue -> queue.load().depth()).sum());
    json.put("running", standing.stream().mapToLong(queue -> queue.load().running()).sum());
    json.put("demand", standing.stream().mapToLong(queue -> queue.load().demand()).sum());
    return Response.json(200, json);
  }

  private Response one(Request request, Principal principal) {
    String slug = request.pathParameter("workflow");
    return queues.standing().stream()
        .filter(queue -> queue.workflow().equals(slug))
        .findFirst()
        .map(queue -> Response.json(200, json(queue)))
        .orElseThrow(ProblemException::notFound);
  }

  private static ObjectNode json(QueueView queue) {
    return JsonMapper.shared()
        .createObjectNode()
        .put("workflow", queue.workflow())
        .put("paused", queue.paused())
        .put("depth", queue.load().depth())
        .put("pending", queue.load().pending())
        .put("running", queue.load().running())
        .put("demand", queue.load().demand())
        .put("oldest_age_seconds", Math.round(queue.oldestAgeSeconds()))
        .put("completed_per_minute", queue.completedPerMinute())
        .put("busy_workers", queue.fleet().busyWorkers())
        .put("idle_workers", queue.fleet().idleWorkers())
        .put("not_ready_workers", queue.fleet().notReadyWorkers())
        .put("idle_slots", queue.fleet().idleSlots());
  }
}
