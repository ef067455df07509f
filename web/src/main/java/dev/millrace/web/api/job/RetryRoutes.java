package dev.millrace.web.api.job;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.service.access.Principal;
import dev.millrace.service.access.Role;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.jobs.FollowOnJobs;
import dev.millrace.service.jobs.JobSubmission;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.access.Authentication;
import dev.millrace.web.api.request.Body;
import dev.millrace.web.api.request.IdempotencyKey;
import dev.millrace.web.api.request.Refusals;
import dev.millrace.web.http.ProblemException;
import dev.millrace.web.http.Request;
import dev.millrace.web.http.Response;
import dev.millrace.web.http.Route;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Once more: an owner gets a new job, an administrator lets the old one go on. */
public final class RetryRoutes {

  private final Authentication authentication;
  private final Engine engine;
  private final FollowOnJobs again;
  private final Offers offers;
  private final JobAnswers shown;
  private final SubmitAnswers answers;

  public RetryRoutes(
      Authentication authentication,
      Engine engine,
      FollowOnJobs again,
      Offers offers,
      JobAnswers shown,
      SubmitAnswers answers) {
    this.authentication = authentication;
    this.engine = engine;
    this.again = again;
    this.offers = offers;
    this.shown = shown;
    this.answers = answers;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/api/jobs/{id}/retry", authentication.require(Role.USER, this::retry)),
        Route.post(
            "/api/admin/jobs/{id}/retry", authentication.require(Role.ADMIN, this::retryInPlace)));
  }

  private Response retry(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    @Nullable String key = key(request);
    Optional<JobSubmission.Outcome> earlier = again.earlier(job, key);
    if (earlier.isPresent()) {
      return answers.answer(earlier.get(), request, principal);
    }
    State state = State.ofLabel(job.state());
    if (!Lifecycle.retryableAsANewJob().contains(state)) {
      engine.refuseRetry(JobAnswers.id(job), state);
      throw Refusals.notNow(state, "retried");
    }
    int most = JobRequestReader.mostPriority(principal.role());
    JobSubmission.Outcome outcome = again.retry(job, key, most);
    if (outcome instanceof JobSubmission.Outcome.UnknownEffect) {
      throw new ProblemException(
          409, "effect_not_on_offer", "The effect " + job.effect() + " is not on offer any more.");
    }
    return answers.answer(outcome, request, principal);
  }

  private static @Nullable String key(Request request) {
    Body body = Body.ofOptional(request, "idempotency_key");
    @Nullable String key =
        IdempotencyKey.of(request, body.textOrNull("idempotency_key"), body::wrongBeside);
    body.requireGood();
    return key;
  }

  private Response retryInPlace(Request request, Principal principal) throws InterruptedException {
    JobView job = shown.find(request, principal);
    Body.ofOptional(request).requireGood();
    EffectPolicy policy = offers.policyOf(job.effect());
    Report.RetryInPlace retry =
        new Report.RetryInPlace(
            JobAnswers.id(job),
            principal.actor(),
            job.workflowId(),
            policy.maxFailures(),
            policy.maxInterruptions());
    Refusals.requireDone(engine.report(retry), "retried in place");
    return shown.answer(200, request, principal, job.id());
  }
}
