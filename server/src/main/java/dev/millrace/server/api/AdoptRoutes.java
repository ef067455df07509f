package dev.millrace.server.api;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.records.JobView;
import dev.millrace.postgres.records.LateResultView;
import dev.millrace.postgres.records.LateResults;
import dev.millrace.server.auth.Authentication;
import dev.millrace.server.auth.Principal;
import dev.millrace.server.auth.Role;
import dev.millrace.server.catalogue.EffectPolicy;
import dev.millrace.server.http.ProblemException;
import dev.millrace.server.http.Request;
import dev.millrace.server.http.Response;
import dev.millrace.server.http.Route;
import dev.millrace.server.jobs.Offers;
import java.util.List;

/** Takes a result that came too late after all: the job is paid for again, and gets it. */
public final class AdoptRoutes {

  private final Authentication authentication;
  private final Engine engine;
  private final Offers offers;
  private final ShownJobs shown;
  private final LateResults late;

  AdoptRoutes(
      Authentication authentication,
      Engine engine,
      Offers offers,
      ShownJobs shown,
      LateResults late) {
    this.authentication = authentication;
    this.engine = engine;
    this.offers = offers;
    this.shown = shown;
    this.late = late;
  }

  List<Route> routes() {
    return List.of(
        Route.post("/api/admin/jobs/{id}/adopt", authentication.require(Role.ADMIN, this::adopt)));
  }

  private Response adopt(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body.ofOptional(request).requireGood();
    JobId id = ShownJobs.id(job);
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
