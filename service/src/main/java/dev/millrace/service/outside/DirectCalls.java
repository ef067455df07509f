package dev.millrace.service.outside;

import dev.millrace.engine.command.Report;
import dev.millrace.postgres.outside.EarlierCalls;
import dev.millrace.postgres.outside.Intents;
import dev.millrace.service.attempt.RunningAttempt;
import dev.millrace.service.attempt.Turn;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Provider;

/**
 * Calls services that do their work while they are waited for, and can't be asked for it
 * afterwards. The intent is stored before the call. So an attempt knows of earlier ones that may
 * have been sent and ended without an answer, because their server died or their report did not get
 * through; then it calls nobody and says so, and whoever retries the job decides about the money.
 */
final class DirectCalls {

  private static final Outcome UNANSWERED =
      Outcome.Uncertain.blameless(
          "An earlier attempt was sent, and its answer is lost. The service may have done it.");

  private final Reporter reporter;
  private final Intents intents;

  DirectCalls(Reporter reporter, Intents intents) {
    this.reporter = reporter;
    this.intents = intents;
  }

  /** Calls the service, or ends before anything was sent. */
  Outcome run(RunningAttempt attempt, Provider service) throws InterruptedException {
    Turn turn = attempt.turn();
    EarlierCalls earlier = intents.called(turn.job(), service.name());
    if (earlier.unanswered() > 0) {
      return UNANSWERED;
    }
    long began = System.nanoTime();
    Report intend =
        new Report.Intend(turn.job(), turn.token(), service.name(), earlier.withoutAnswer());
    boolean intended = reporter.tell(intend, attempt::canceled).done();
    boolean late = System.nanoTime() - began > Handover.LONGEST_DELAY.toNanos();
    return intended && !late && attempt.send() ? service.execute(attempt) : new Outcome.Canceled();
  }
}
