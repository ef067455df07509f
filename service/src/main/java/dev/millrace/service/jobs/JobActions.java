package dev.millrace.service.jobs;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.Lifecycle;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.outside.LateResultView;
import dev.millrace.postgres.outside.LateResults;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.service.access.Principal;
import dev.millrace.service.catalogue.EffectPolicy;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** What is done to one job that exists, by its owner or by whoever administers. */
public final class JobActions {

  private final Engine engine;
  private final Offers offers;
  private final FollowOnJobs followOns;
  private final Erasure erasure;
  private final LateResults late;
  private final BiPredicate<JobId, String> lostForGood;
  private final Audit audit;

  /**
   * @param lostForGood whether a service may have taken a job, and nobody can find out
   */
  public JobActions(
      Engine engine,
      Offers offers,
      FollowOnJobs followOns,
      Erasure erasure,
      LateResults late,
      BiPredicate<JobId, String> lostForGood,
      Audit audit) {
    this.engine = engine;
    this.offers = offers;
    this.followOns = followOns;
    this.erasure = erasure;
    this.late = late;
    this.lostForGood = lostForGood;
    this.audit = audit;
  }

  /** Asks it to stop. An owner's own wish needs no line in the audit. */
  public Report.Result cancel(Principal by, JobView job) throws InterruptedException {
    @Nullable String actor = by.user() == null ? by.actor() : null;
    return engine.report(new Report.Cancel(id(job), actor));
  }

  /** What becomes of the wish for the same once more. */
  public sealed interface Retry {

    record Submitted(JobSubmission.Outcome outcome) implements Retry {}

    /** Only what ended badly is done again. */
    record NotNow(State state) implements Retry {}

    record EffectGone(String effect) implements Retry {}
  }

  /**
   * The same once more, as a new job.
   *
   * @param key the user's idempotency key for it, or null
   * @param copySummary whether the new job begins with what the old one counted
   */
  public Retry retry(Principal by, JobView job, @Nullable String key, boolean copySummary)
      throws InterruptedException {
    Optional<JobSubmission.Outcome> earlier = followOns.earlier(job, key);
    if (earlier.isPresent()) {
      return new Retry.Submitted(earlier.get());
    }
    if (!by.bounds().allowEffect(job.request().effect())) {
      return new Retry.EffectGone(job.request().effect());
    }
    State state = job.state();
    if (!Lifecycle.retryableAsANewJob().contains(state)) {
      engine.refuseRetry(id(job), state);
      return new Retry.NotNow(state);
    }
    JobSubmission.Outcome outcome = followOns.retry(by, job, key, copySummary);
    return outcome instanceof JobSubmission.Outcome.UnknownEffect
        ? new Retry.EffectGone(job.request().effect())
        : new Retry.Submitted(outcome);
  }

  /** What becomes of the wish to let a job go on. */
  public sealed interface Continuation {

    record Decided(Report.Result result) implements Continuation {}

    /** In place it would only wait until its deadline again: nobody can say that it may be sent. */
    record PerhapsBought(UUID job) implements Continuation {}
  }

  /** Lets the same job go on, with a new hold. */
  public Continuation retryInPlace(Principal by, JobView job) throws InterruptedException {
    boolean stuck =
        Lifecycle.edge(job.state(), Trigger.RETRY_IN_PLACE, State.PENDING).isPresent()
            && offers
                .workflow(job.request().workflowId())
                .map(queue -> queue.workflow().executor())
                .filter(service -> lostForGood.test(id(job), service))
                .isPresent();
    return stuck
        ? new Continuation.PerhapsBought(job.id())
        : new Continuation.Decided(goOn(by, job));
  }

  private Report.Result goOn(Principal by, JobView job) throws InterruptedException {
    EffectPolicy policy = offers.policyOf(job.request().effect());
    return engine.report(
        new Report.RetryInPlace(
            id(job),
            by.actor(),
            job.request().workflowId(),
            policy.maxFailures(),
            policy.maxInterruptions()));
  }

  /** What becomes of the wish to take a result that came too late. */
  public sealed interface Adoption {

    record NothingLate() implements Adoption {}

    record Decided(Report.Result result) implements Adoption {}
  }

  /** The job is paid for again, and gets what came too late. */
  public Adoption adopt(Principal by, JobView job) throws InterruptedException {
    JobId id = id(job);
    Optional<Integer> attempt =
        late.kept(id).map(LateResultView::attempt).filter(kept -> late.adopt(id, kept, by.actor()));
    if (attempt.isEmpty()) {
      return new Adoption.NothingLate();
    }
    Report.Result result = goOn(by, job);
    if (!(result instanceof Report.Result.Done)) {
      late.putBack(id, attempt.get());
    }
    return new Adoption.Decided(result);
  }

  /** What becomes of the wish to delete. */
  public sealed interface Deletion {

    record Deleted(Job job, Erasure.Tally files) implements Deletion {}

    record Refused(Report.Result result) implements Deletion {}
  }

  /** From the commit on the job is gone for everybody; what can't be removed now is later. */
  public Deletion delete(Principal by, JobView job) throws InterruptedException {
    Report.Result result = engine.report(new Report.Delete(id(job), by.actor()));
    return result instanceof Report.Result.Done(Job deleted)
        ? new Deletion.Deleted(
            deleted, erasure.erase(job.request().tenantId(), by.tenantSlug(), job.id()))
        : new Deletion.Refused(result);
  }

  /** Ends a job that has not begun, because of what it asks for. */
  public Report.Result reject(Principal by, JobView job, String category, String reason)
      throws InterruptedException {
    return engine.report(
        new Report.RejectByPolicy(
            id(job), by.actor(), new Failure(category, Reasons.shown(reason))));
  }

  /** Gives back what a rejection took. */
  public Report.Result overturn(Principal by, JobView job, String reason)
      throws InterruptedException {
    return engine.report(new Report.Overturn(id(job), by.actor(), Reasons.shown(reason)));
  }

  /**
   * Notes that somebody looks at an input that isn't his own. It is to be noted before it is shown.
   */
  public void uncover(Principal by, JobView job) {
    audit.write(by.audit("job.input_uncovered", job.id().toString(), null));
  }

  private static JobId id(JobView job) {
    return new JobId(job.request().tenantId(), job.id());
  }
}
