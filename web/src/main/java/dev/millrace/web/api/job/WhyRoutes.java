package dev.millrace.web.api.job;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.fleet.Waits;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Why a job is not running yet. */
public final class WhyRoutes {

  private final Authentication authentication;
  private final JobAnswers shown;
  private final Waits waits;

  public WhyRoutes(Authentication authentication, JobAnswers shown, Waits waits) {
    this.authentication = authentication;
    this.shown = shown;
    this.waits = waits;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/jobs/{id}/why", authentication.require(Scope.JOBS_READ, this::why)));
  }

  private Response why(Request request, Principal principal) {
    JobView job = shown.find(request, principal);
    Waits.Why why = waits.why(job);
    Waits.Reason reason = why.reason();
    ObjectNode json =
        JsonMapper.shared()
            .createObjectNode()
            .put("job_id", job.id().toString())
            .put("state", job.state().label())
            .put("cause", reason.cause())
            .put("message", reason.message())
            .put("position", why.position())
            .put("until", JobJson.text(reason.until()))
            .put("estimated_start_at", JobJson.text(reason.estimatedStart()));
    return Response.json(200, json);
  }
}
