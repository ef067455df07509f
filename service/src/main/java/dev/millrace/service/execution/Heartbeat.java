package dev.millrace.service.execution;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.service.attempt.ProviderSummary;
import dev.millrace.service.attempt.RunningAttempt;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps an attempt's lease alive and passes its progress on, until the attempt is over. */
final class Heartbeat implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

  /**
   * Progress that comes faster than this is merged: nobody can watch it, but all would store it.
   */
  private static final Duration CALM = Duration.ofMillis(150);

  private final RunningAttempt attempt;
  private final Engine engine;
  private final Duration interval;

  Heartbeat(RunningAttempt attempt, Engine engine, Duration interval) {
    this.attempt = attempt;
    this.engine = engine;
    this.interval = interval;
  }

  @Override
  public void run() {
    try {
      while (!attempt.isOver()) {
        attempt.awaitNews(interval);
        if (!attempt.isOver() && !attempt.lostLease()) {
          beat(attempt.takeNews(), facts());
        }
        if (attempt.awaitEnd(CALM)) {
          break;
        }
      }
      tellLast();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What was counted counts, also if the attempt fails right afterwards. */
  private void tellLast() throws InterruptedException {
    Summary last = facts();
    if (!last.values().isEmpty() && !attempt.lostLease()) {
      beat(null, last);
    }
  }

  /** What a provider tells beyond what can be kept is its own trouble, and no reason to stop. */
  private Summary facts() {
    try {
      return ProviderSummary.summary(attempt.takeFacts());
    } catch (ProviderSummary.Refused e) {
      LOG.warn("Facts of job {} are not kept: {}", attempt.jobId(), e.getMessage());
      return Summary.EMPTY;
    }
  }

  private void beat(@Nullable Progress progress, Summary facts) throws InterruptedException {
    try {
      Result result =
          engine.report(
              new Report.Heartbeat(attempt.job().id(), attempt.leased().token(), progress, facts));
      if (!(result instanceof Result.Done(var job))) {
        attempt.loseLease();
      } else if (job.state() == State.CANCELING) {
        attempt.cancel();
      }
    } catch (RuntimeException e) {
      // A heart that stops for one failed beat would cost the lease. The lease is longer than
      // several heartbeats: the next one may get through.
      LOG.warn("A heartbeat of job {} did not get through", attempt.jobId(), e);
    }
  }
}
