package dev.millrace.server.api;

import dev.millrace.postgres.records.JobView;
import dev.millrace.postgres.records.Queues;
import dev.millrace.postgres.records.WaitView;
import dev.millrace.server.auth.Authentication;
import dev.millrace.server.auth.Principal;
import dev.millrace.server.auth.Role;
import dev.millrace.server.fleet.Waits;
import dev.millrace.server.http.Request;
import dev.millrace.server.http.Response;
import dev.millrace.server.http.Route;
import dev.millrace.server.jobs.Offers;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Why a job is not running yet. */
final class WhyRoutes {

  private final Authentication authentication;
  private final ShownJobs shown;
  private final Offers offers;
  private final Queues queues;
  private final Waits waits;

  WhyRoutes(
      Authentication authentication, ShownJobs shown, Offers offers, Queues queues, Waits waits) {
    this.authentication = authentication;
    this.shown = shown;
    this.offers = offers;
    this.queues = queues;
    this.waits = waits;
  }

  List<Route> routes() {
    return List.of(Route.get("/api/jobs/{id}/why", authentication.require(Role.USER, this::why)));
  }

  private Response why(Request request, Principal principal) {
    JobView job = shown.find(request, principal);
    Optional<Offers.Queue> queue = offers.workflow(job.workflowId());
    Optional<WaitView> wait =
        queues.waitOf(
            job.tenantId(), job.id(), queue.map(found -> found.workflow().provider()).orElse(null));
    Waits.Reason reason = waits.reason(job, queue.orElse(null), wait.orElse(null));
    boolean queued = job.state().equals("queued");
    Integer position =
        wait.filter(each -> queued && each.position() > 0).map(WaitView::position).orElse(null);
    ObjectNode json =
        JsonMapper.shared()
            .createObjectNode()
            .put("job_id", job.id().toString())
            .put("state", job.state())
            .put("cause", reason.cause())
            .put("message", reason.message())
            .put("position", position)
            .put("until", JobJson.text(reason.until()))
            .put("estimated_start_at", JobJson.text(reason.estimatedStart()));
    return Response.json(200, json);
  }
}
