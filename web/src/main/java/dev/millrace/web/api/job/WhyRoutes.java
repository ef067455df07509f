package dev.millrace.web.api.job;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.jobs.Queues;
import dev.millrace.postgres.jobs.WaitView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.fleet.Waits;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Why a job is not running yet. */
public final class WhyRoutes {

  private final Authentication authentication;
  private final JobAnswers shown;
  private final Offers offers;
  private final Queues queues;
  private final Waits waits;

  public WhyRoutes(
      Authentication authentication, JobAnswers shown, Offers offers, Queues queues, Waits waits) {
    this.authentication = authentication;
    this.shown = shown;
    this.offers = offers;
    this.queues = queues;
    this.waits = waits;
  }

  public List<Route> routes() {
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
