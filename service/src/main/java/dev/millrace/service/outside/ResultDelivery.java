package dev.millrace.service.outside;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.port.Callback;
import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.service.attempt.FetchBound;
import dev.millrace.service.attempt.Turn;
import dev.millrace.service.attempt.Verdicts;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Usage;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the engine how work ended that was out, with its outputs in our own store. */
final class ResultDelivery {

  private static final Logger LOG = LoggerFactory.getLogger(ResultDelivery.class);

  private final Handovers handovers;
  private final Verdicts verdicts;
  private final Reporter reporter;

  /** How a service says that its work ended. */
  record Result(Outcome outcome, Usage usage) {}

  ResultDelivery(Handovers handovers, Verdicts verdicts, Engine engine) {
    this.handovers = handovers;
    this.verdicts = verdicts;
    this.reporter = new Reporter(engine);
  }

  /**
   * Takes the outputs in and settles the attempt.
   *
   * @throws Verdicts.Postponed if there is a result that can't be had now, but perhaps later
   */
  void deliver(HandoverView work, Result result, FetchBound bound)
      throws InterruptedException, Verdicts.Postponed {
    // A callback about an earlier attempt's work is judged late: that attempt has ended.
    Callback.@Nullable Id cause =
        Optional.ofNullable(work.reference())
            .flatMap(own -> handovers.waiting(work.provider(), own))
            .map(event -> new Callback.Id(work.provider(), event))
            .orElse(null);
    Verdicts.Ending ending =
        new Verdicts.Ending(result.outcome(), result.usage(), cause, work.provider());
    settle(work, verdicts.judge(Orders.turn(work), ending, bound));
  }

  /** The last word about a result that nobody waits for any longer. */
  void giveUp(HandoverView work, Verdicts.Postponed why) throws InterruptedException {
    settle(work, verdicts.givenUp(Orders.turn(work), why));
  }

  private void settle(HandoverView work, Verdicts.Verdict verdict) throws InterruptedException {
    Reporter.Reply told = reporter.tell(verdict.report(), () -> false);
    if (told.result() instanceof Report.Result.Repeated) {
      // The callback was judged before, and its job was not: so the result counts without it.
      told = reporter.tell(withoutCause(verdict.report()), () -> false);
    }
    if (!Reporter.accepted(verdict.report(), told)) {
      LOG.info("Job {} took nothing from its provider: {}", work.job().jobId(), told);
      if (!told.inDoubt()) {
        verdicts.discard(verdict.stored());
      }
    }
  }

  private static Report withoutCause(Report.Deciding report) {
    return switch (report) {
      case Report.Complete c -> new Report.Complete(c.job(), c.token(), c.outputs(), c.summary());
      case Report.Fail f -> f.withoutCause();
    };
  }

  void acknowledgeCancel(HandoverView work, BooleanSupplier pointless) throws InterruptedException {
    Turn turn = Orders.turn(work);
    reporter.tell(new Report.AcknowledgeCancel(turn.job(), turn.token()), pointless);
  }

  /**
   * The service has done its part: from here on the job waits for us.
   *
   * @return the work as it is now, with the time that is left; empty if nobody waits for it
   */
  Optional<HandoverView> made(HandoverView work, BooleanSupplier pointless)
      throws InterruptedException {
    Turn turn = Orders.turn(work);
    reporter.tell(new Report.Made(turn.job(), turn.token()), pointless);
    return handovers.claimed(turn.job()).filter(now -> now.token().equals(turn.token()));
  }
}
