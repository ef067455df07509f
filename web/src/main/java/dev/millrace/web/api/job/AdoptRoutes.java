package dev.millrace.web.api.job;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;

/** Takes a result that came too late after all: the job is paid for again, and gets it. */
public final class AdoptRoutes {

  private final Authentication authentication;
  private final JobActions actions;
  private final JobAnswers shown;

  public AdoptRoutes(Authentication authentication, JobActions actions, JobAnswers shown) {
    this.authentication = authentication;
    this.actions = actions;
    this.shown = shown;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
            "/api/admin/jobs/{id}/adopt", authentication.require(Scope.TASKS_WRITE, this::adopt)));
  }

  private Response adopt(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body.ofOptional(request).requireGood();
    Refusals.requireAdopted(actions.adopt(principal, job));
    return shown.answer(200, request, principal, job.id());
  }
}
