package dev.millrace.service.execution;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.service.attempt.Accounts;
import dev.millrace.service.attempt.RunningAttempt;
import dev.millrace.service.attempt.Turn;
import dev.millrace.service.attempt.Verdicts;
import dev.millrace.service.outside.Handover;
import dev.millrace.service.outside.Orders;
import dev.millrace.service.outside.Reporter;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Performer;
import dev.millrace.spi.provider.Provider;
import dev.millrace.storage.output.StoredOutput;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** Runs one attempt from its lease to its report, or until a service has it. */
public final class AttemptRunner {

  private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);

  /** How long a result waits for the object store before it is given up. */
  private static final Duration STORE_PATIENCE = Duration.ofMinutes(10);

  private static final Duration HEART_PATIENCE = Duration.ofSeconds(30);
  private static final Duration STORE_PAUSE = Duration.ofSeconds(2);

  /** How often a result is read that its provider fails to write. */
  private static final int READING_TRIES = 3;

  /** Nothing of it was sent to a service, so it may run again. */
  private static final Outcome BROKE_DOWN =
      new Outcome.Unavailable("The executor broke down.", Optional.empty());

  /** What was thrown may have been thrown after the request had left. */
  private static final Outcome BROKE_AFTER_SENDING =
      Outcome.Uncertain.blameless(
          "The executor broke down, and the service may have done the work.");

  private static final Outcome STOPPED_AFTER_SENDING =
      Outcome.Uncertain.blameless(
          "The call ended before the service had answered, which may have done the work.");

  private final Accounts accounts;
  private final Engine engine;
  private final Reporter reporter;
  private final Verdicts verdicts;
  private final Handover handover;
  private final Duration heartbeat;

  public AttemptRunner(
      Accounts accounts, Engine engine, Verdicts verdicts, Handover handover, Duration heartbeat) {
    this.accounts = accounts;
    this.engine = engine;
    this.reporter = new Reporter(engine);
    this.verdicts = verdicts;
    this.handover = handover;
    this.heartbeat = heartbeat;
  }

  /** How an attempt went, as its breaker should know; empty if a service has it now. */
  Optional<Outcome> run(RunningAttempt attempt, String provider) {
    Thread heart =
        Thread.ofVirtual()
            .name("heartbeat-" + attempt.jobId())
            .start(new Heartbeat(attempt, engine, heartbeat));
    try {
      return switch (perform(attempt, provider)) {
        case Handover.Result.HandedOver _ -> Optional.empty();
        case Handover.Result.Unconfirmed(Outcome.Uncertain why) -> Optional.of(why);
        case Handover.Result.Ended(Outcome outcome) -> {
          Judged judged = judge(attempt, provider, outcome);
          attempt.end();
          // A heartbeat that comes after the report is refused as stale, so this need not wait
          // long.
          heart.join(HEART_PATIENCE);
          report(attempt, judged);
          // What breaks down here says nothing about the service.
          yield Optional.of(
              judged.outcome.equals(BROKE_DOWN) ? new Outcome.Canceled() : judged.outcome);
        }
      };
    } catch (InterruptedException e) {
      // Nobody interrupts attempts; whoever does loses the lease, and the reaper sorts it out.
      Thread.currentThread().interrupt();
      return Optional.of(new Outcome.Canceled());
    } finally {
      attempt.end();
    }
  }

  /** A provider's bug is the attempt's trouble, not the server's. */
  private Handover.Result perform(RunningAttempt attempt, String provider) {
    try {
      attempt.read(Orders.input(attempt.leased().input()));
    } catch (JacksonException e) {
      LOG.error("The input of job {} can't be read", attempt.jobId(), e);
      return ended(new Outcome.Failed("The input can't be read."));
    }
    Optional<Performer> performer = accounts.of(provider, attempt.job().id().tenant());
    if (performer.isEmpty()) {
      return ended(new Outcome.Failed("There is no account at " + provider + "."));
    }
    try {
      return switch (performer.get()) {
        case Provider here when here.mayAskAgain(attempt) -> ended(here.execute(attempt));
        case Provider service -> call(attempt, service);
        case AsyncProvider service -> handOver(attempt, service);
      };
    } catch (Throwable e) {
      // Nobody interrupts attempts, so an InterruptedException is the provider's own, too.
      LOG.error("Provider {} broke down on job {}", provider, attempt.jobId(), e);
      return ended(attempt.isSent() ? BROKE_AFTER_SENDING : BROKE_DOWN);
    } finally {
      forgetInterrupts();
    }
  }

  /** What breaks down before anything was sent is no failure of the job's. */
  private Handover.Result call(RunningAttempt attempt, Provider service) {
    try {
      return ended(handover.call(attempt, service));
    } catch (Throwable e) {
      LOG.error("Calling {} for job {} broke off", service.name(), attempt.jobId(), e);
      return ended(attempt.isSent() ? BROKE_AFTER_SENDING : new Outcome.Canceled());
    }
  }

  /**
   * Whatever breaks down here, in whatever way, the service may have the work. So the attempt is no
   * failure, which the next one would take for an answer: its lease is lost or given back, and the
   * next one asks first.
   */
  private Handover.Result handOver(RunningAttempt attempt, AsyncProvider service) {
    try {
      return handover.run(attempt, service);
    } catch (Throwable e) {
      LOG.error("Handing job {} to {} broke off", attempt.jobId(), service.name(), e);
      return ended(new Outcome.Canceled());
    }
  }

  private static Handover.Result ended(Outcome outcome) {
    return new Handover.Result.Ended(outcome);
  }

  /** Left set by a provider, the mark would fail the next write to a file or wait for a lock. */
  private static void forgetInterrupts() {
    boolean _ = Thread.interrupted();
  }

  /**
   * What an attempt came to.
   *
   * @param outcome as it counts: a provider's own can be too broken to be read
   */
  private record Judged(Outcome outcome, Report report, List<StoredOutput> stored) {}

  /** Outputs are written by the provider's code, so this can break down as well. */
  private Judged judge(RunningAttempt attempt, String provider, Outcome outcome)
      throws InterruptedException {
    if (outcome instanceof Outcome.Canceled && !isPaid(attempt)) {
      return new Judged(outcome, stopped(attempt), List.of());
    }
    Outcome known = outcome instanceof Outcome.Canceled ? STOPPED_AFTER_SENDING : outcome;
    try {
      return patiently(attempt, Verdicts.Ending.of(known, provider));
    } catch (Verdicts.Postponed e) {
      return isPaid(attempt)
          ? new Judged(
              new Outcome.Canceled(), verdicts.givenUp(attempt.turn(), e).report(), List.of())
          : new Judged(new Outcome.Canceled(), stopped(attempt), List.of());
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      LOG.error("The result of job {} could not be taken", attempt.jobId(), e);
      return judgedBroken(attempt);
    } finally {
      forgetInterrupts();
    }
  }

  /**
   * A result that exists only here waits for the object store, and the lease is kept meanwhile:
   * having it made again would be paid for again. One that can't be read gets fewer tries.
   *
   * @throws Verdicts.Postponed if it should stop before the result could be taken
   */
  private Judged patiently(RunningAttempt attempt, Verdicts.Ending ending)
      throws InterruptedException, Verdicts.Postponed {
    Outcome outcome = ending.outcome();
    long end = System.nanoTime() + STORE_PATIENCE.toNanos();
    int unreadable = 0;
    while (true) {
      try {
        Verdicts.Verdict verdict = verdicts.judge(attempt.turn(), ending);
        return new Judged(outcome, verdict.report(), verdict.stored());
      } catch (Verdicts.Postponed e) {
        LOG.warn("The result of job {} waits: {}", attempt.jobId(), e.getMessage());
        if (e.unreadable() && ++unreadable >= READING_TRIES) {
          return new Judged(outcome, verdicts.unreadable(attempt.turn()).report(), List.of());
        }
        if (System.nanoTime() - end > 0) {
          Verdicts.Verdict verdict =
              e.absent()
                  ? verdicts.absent(attempt.turn(), ending, e)
                  : verdicts.lost(attempt.turn());
          return new Judged(outcome, verdict.report(), List.of());
        }
        if (attempt.awaitStop(STORE_PAUSE)) {
          throw e;
        }
      }
    }
  }

  /** What a service made is paid for there, so it is not made again. */
  private Judged judgedBroken(RunningAttempt attempt) {
    if (attempt.isSent()) {
      Report report = verdicts.unreadable(attempt.turn()).report();
      return new Judged(BROKE_AFTER_SENDING, report, List.of());
    }
    try {
      Verdicts.Verdict verdict = verdicts.judge(attempt.turn(), Verdicts.Ending.of(BROKE_DOWN));
      return new Judged(BROKE_DOWN, verdict.report(), verdict.stored());
    } catch (Verdicts.Postponed e) {
      throw new IllegalStateException("a breakdown has no outputs", e);
    }
  }

  /** Whether it may be paid for, and so must not be begun again: nobody but us ends the job. */
  private static boolean isPaid(RunningAttempt attempt) {
    return attempt.isSent() && !attempt.isUnwanted();
  }

  private static Report stopped(RunningAttempt attempt) {
    Turn turn = attempt.turn();
    return attempt.shouldBeGivenBack()
        ? new Report.Requeue(turn.job(), turn.token(), "the server is shutting down")
        : new Report.AcknowledgeCancel(turn.job(), turn.token());
  }

  /** The result is worth several tries: if none gets through, the lease runs out. */
  private void report(RunningAttempt attempt, Judged judged) throws InterruptedException {
    Reporter.Reply told = reporter.tell(judged.report(), attempt::lostLease);
    if (Reporter.accepted(judged.report(), told)) {
      return;
    }
    LOG.info("Job {} took nothing from this attempt: {}", attempt.jobId(), told);
    if (!told.inDoubt()) {
      // Outputs that may belong to a completed job are kept; room is cheaper than a lost picture.
      verdicts.discard(judged.stored());
    }
  }
}
