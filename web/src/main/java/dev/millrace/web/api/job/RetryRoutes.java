package dev.millrace.web.api.job;

import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Scope;
import dev.millrace.service.jobs.JobActions;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.IdempotencyKey;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Once more: an owner gets a new job, an administrator lets the old one go on. */
public final class RetryRoutes {

  private final Authentication authentication;
  private final JobActions actions;
  private final JobAnswers shown;
  private final SubmitAnswers answers;

  public RetryRoutes(
      Authentication authentication, JobActions actions, JobAnswers shown, SubmitAnswers answers) {
    this.authentication = authentication;
    this.actions = actions;
    this.shown = shown;
    this.answers = answers;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/jobs/{id}/retry", authentication.require(Scope.JOBS_WRITE, this::retry)),
        Route.post(
            "/api/admin/jobs/{id}/retry",
            authentication.require(Scope.TASKS_WRITE, this::retryInPlace)));
  }

  private Response retry(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body body = Body.ofOptional(request, "idempotency_key", "copy_summary");
    @Nullable String key =
        IdempotencyKey.of(request, body.textOrNull("idempotency_key"), body::wrongBeside);
    boolean copySummary = body.flag("copy_summary", false);
    body.requireGood();
    JobActions.Retry retry = actions.retry(principal, job, key, copySummary);
    return answers.answer(Refusals.requireRetried(retry), request, principal);
  }

  private Response retryInPlace(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body.ofOptional(request).requireGood();
    Refusals.requireContinued(actions.retryInPlace(principal, job));
    return shown.answer(200, request, principal, job.id());
  }
}
