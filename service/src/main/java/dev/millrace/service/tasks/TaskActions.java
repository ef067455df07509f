package dev.millrace.service.tasks;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.jobs.TaskJobs.Match;
import dev.millrace.service.catalogue.EffectPolicy;
import dev.millrace.service.guard.Gate;
import dev.millrace.service.guard.GateRequest;
import dev.millrace.service.guard.Verdict;
import dev.millrace.service.jobs.Offers;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Does what a task asks for to one job. The engine decides whether that may be. */
final class TaskActions {

  private static final Logger LOG = LoggerFactory.getLogger(TaskActions.class);

  private final Engine engine;
  private final Offers offers;
  private final Gate gate;

  TaskActions(Engine engine, Offers offers, Gate gate) {
    this.engine = engine;
    this.offers = offers;
    this.gate = gate;
  }

  /**
   * One job's turn.
   *
   * @param input the job's, for a recheck; null otherwise
   */
  TaskOutcome perform(
      TaskAction action, JobId job, String actor, Match match, @Nullable String input)
      throws InterruptedException {
    try {
      return switch (action) {
        case CANCEL -> report(new Report.Cancel(job), TaskActions::refunded);
        case DELETE -> report(new Report.Delete(job, actor), _ -> 0);
        case RETRY -> retry(job, actor, match);
        case RECHECK -> recheck(job, actor, match, input);
      };
    } catch (Store.Unavailable e) {
      throw e;
    } catch (Store.RolledBack e) {
      // This one job's trouble must not keep the task from the others.
      LOG.warn("A task could not {} the job {}", action.label(), job.uuid(), e);
      return TaskOutcome.FAILED;
    }
  }

  private TaskOutcome retry(JobId job, String actor, Match match) throws InterruptedException {
    EffectPolicy policy = offers.policyOf(match.effect());
    return report(
        new Report.RetryInPlace(
            job, actor, match.workflowId(), policy.maxFailures(), policy.maxInterruptions()),
        retried -> retried.hold().amount());
  }

  private TaskOutcome recheck(JobId job, String actor, Match match, @Nullable String input)
      throws InterruptedException {
    if (input == null) {
      return TaskOutcome.SKIPPED;
    }
    ObjectNode resolved = (ObjectNode) JsonMapper.shared().readTree(input);
    Verdict verdict =
        gate.check(new GateRequest(job.tenant(), match.userId(), match.effect(), resolved));
    return switch (verdict) {
      case Verdict.Pass() -> TaskOutcome.SKIPPED;
      case Verdict.Unavailable(_) -> TaskOutcome.FAILED;
      case Verdict.Denied(String category, String message) ->
          report(
              new Report.RejectByPolicy(job, actor, new Failure(category, message)),
              TaskActions::refunded);
    };
  }

  /** What the job gave back at once; one that is still being stopped may do so later. */
  private static long refunded(Job job) {
    return job.state().terminal() ? job.hold().amount() - job.hold().captured() : 0;
  }

  private TaskOutcome report(Report report, ToLongFunction<Job> credits)
      throws InterruptedException {
    return switch (engine.report(report)) {
      case Report.Result.Done(Job job) -> TaskOutcome.done(credits.applyAsLong(job));
      case Report.Result.InsufficientCredits _ -> TaskOutcome.FAILED;
      case Report.Result.Denied _,
          Report.Result.NotNow _,
          Report.Result.Missing _,
          Report.Result.StaleLease _,
          Report.Result.Repeated _,
          Report.Result.NoSuchItems _,
          Report.Result.ItemsDecided _ ->
          TaskOutcome.SKIPPED;
    };
  }
}
