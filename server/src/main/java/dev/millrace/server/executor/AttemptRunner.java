package dev.millrace.server.executor;

import dev.millrace.contract.provider.Outcome;
import dev.millrace.contract.provider.Provider;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Store;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Runs one attempt from its lease to its report. */
public final class AttemptRunner {

  private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);
  private static final TypeReference<Map<String, Object>> INPUT = new TypeReference<>() {};
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int MOST_TRIES = 20;

  private final IntFunction<@Nullable Provider> providerOfQueue;
  private final Engine engine;
  private final Verdicts verdicts;
  private final Duration heartbeat;

  /**
   * Makes a runner.
   *
   * @param providerOfQueue who runs the jobs of a workflow, by its id
   */
  public AttemptRunner(
      IntFunction<@Nullable Provider> providerOfQueue,
      Engine engine,
      Verdicts verdicts,
      Duration heartbeat) {
    this.providerOfQueue = providerOfQueue;
    this.engine = engine;
    this.verdicts = verdicts;
    this.heartbeat = heartbeat;
  }

  void run(Attempt attempt) {
    Thread heart =
        Thread.ofVirtual()
            .name("heartbeat-" + attempt.jobId())
            .start(new Heartbeat(attempt, engine, heartbeat));
    try {
      Report report = judge(attempt, execute(attempt));
      attempt.end();
      heart.join();
      report(attempt, report);
    } catch (InterruptedException e) {
      // Nobody interrupts attempts; whoever does loses the lease, and the reaper sorts it out.
      Thread.currentThread().interrupt();
    } finally {
      attempt.end();
    }
  }

  /** A provider's bug is the attempt's trouble, not the server's. */
  private Outcome execute(Attempt attempt) throws InterruptedException {
    Provider provider = providerOfQueue.apply(attempt.job().facts().workflowId());
    if (provider == null) {
      return new Outcome.Unavailable("Nobody here runs this workflow any more.", Optional.empty());
    }
    try {
      attempt.read(JsonMapper.shared().readValue(attempt.leased().input(), INPUT));
    } catch (JacksonException e) {
      LOG.error("The input of job {} can't be read", attempt.jobId(), e);
      return new Outcome.Failed("The input can't be read.");
    }
    try {
      return provider.execute(attempt);
    } catch (RuntimeException | Error e) {
      LOG.error("Provider {} broke down on job {}", provider.name(), attempt.jobId(), e);
      return new Outcome.Unavailable("The executor broke down.", Optional.empty());
    }
  }

  /** Outputs are written by the provider's code, so this can break down as well. */
  private Report judge(Attempt attempt, Outcome outcome) {
    try {
      return verdicts.judge(attempt, outcome);
    } catch (RuntimeException | Error e) {
      LOG.error("The result of job {} could not be taken", attempt.jobId(), e);
      verdicts.discard(attempt);
      return verdicts.judge(
          attempt, new Outcome.Unavailable("The executor broke down.", Optional.empty()));
    }
  }

  /** The result is worth several tries: if none gets through, the lease runs out. */
  private void report(Attempt attempt, Report report) throws InterruptedException {
    boolean maybeAccepted = false;
    for (int run = 1; run <= MOST_TRIES && !attempt.lostLease(); run++) {
      try {
        Report.Result result = engine.report(report);
        if (accepted(report, result)) {
          return;
        }
        LOG.info(
            "Job {} took nothing from this attempt: {}",
            attempt.jobId(),
            result.getClass().getSimpleName());
        break;
      } catch (Store.OutcomeUnknown e) {
        LOG.warn("The result of job {} may or may not be stored", attempt.jobId(), e);
        maybeAccepted = true;
      } catch (RuntimeException e) {
        LOG.warn("The result of job {} did not get through; trying again", attempt.jobId(), e);
      }
      Thread.sleep(PAUSE);
    }
    if (!maybeAccepted && report instanceof Report.Complete) {
      // Outputs that may belong to a completed job are kept; room is cheaper than a lost picture.
      verdicts.discard(attempt);
    }
  }

  /** True unless there are outputs that the job did not take: somebody else had it, or ended it. */
  private static boolean accepted(Report report, Report.Result result) {
    return result instanceof Report.Result.Done(Job job)
        && (!(report instanceof Report.Complete)
            || job.state() == State.COMPLETED
            || job.state() == State.WAITING_REVIEW);
  }
}
