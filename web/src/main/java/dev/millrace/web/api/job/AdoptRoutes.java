package dev.millrace.web.api.job;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.outside.LateResultView;
import dev.millrace.postgres.outside.LateResults;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;

/** Takes a result that came too late after all: the job is paid for again, and gets it. */
public final class AdoptRoutes {

  private final Authentication authentication;
  private final Engine engine;
  private final Offers offers;
  private final JobAnswers shown;
  private final LateResults late;

  public AdoptRoutes(
      Authentication authentication,
      Engine engine,
      Offers offers,
      JobAnswers shown,
      LateResults late) {
    this.authentication = authentication;
    this.engine = engine;
    this.offers = offers;
    this.shown = shown;
    this.late = late;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/admin/jobs/{id}/adopt", authentication.require(Role.ADMIN, this::adopt)));
  }

  private Response adopt(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body.ofOptional(request).requireGood();
    JobId id = JobAnswers.id(job);
    int attempt =
        late.kept(id)
            .map(LateResultView::attempt)
            .filter(kept -> late.adopt(id, kept, principal.actor()))
            .orElseThrow(() ->
                new ProblemException(
                    409, "no_late_result", "No result came too late for this job."));
    EffectPolicy policy = offers.policyOf(job.effect());
    Report.Result result =
        engine.report(
            new Report.RetryInPlace(
                id,
                principal.actor(),
                job.workflowId(),
                policy.maxFailures(),
                policy.maxInterruptions()));
    if (!(result instanceof Report.Result.Done)) {
      late.putBack(id, attempt);
    }
    Refusals.requireDone(result, "adopted");
    return shown.answer(200, request, principal, job.id());
  }
}
