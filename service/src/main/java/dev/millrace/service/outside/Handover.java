package dev.millrace.service.outside;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.service.attempt.InputFiles;
import dev.millrace.service.attempt.RunningAttempt;
import dev.millrace.service.attempt.Turn;
import dev.millrace.service.files.JobAssets;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Provider;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Submission;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands attempts to outside services. An attempt has one intent, which is stored before the call,
 * and an intent has one submit: whoever wants another one needs another attempt, with its backoff.
 * If nobody knows whether a submit was taken, the job leaves its slot, and the collector asks the
 * service until it is known; until then nothing is sent.
 */
public final class Handover {

  private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

  /** A first look at what was just sent may find it at once. */
  private static final Duration FIRST_LOOK = Duration.ofSeconds(1);

  /** Who is held up for longer after the intent may have lost the lease, so it sends nothing. */
  static final Duration LONGEST_DELAY = Duration.ofSeconds(10);

  private static final String NOT_TAKEN = "The service did not take an earlier attempt's work.";

  private final Reporter reporter;
  private final Handovers handovers;
  private final Orders orders;
  private final InputFiles files;
  private final LateArrivals late;
  private final UnconfirmedSubmits unheard;
  private final LeftWork left;
  private final DirectCalls calls;

  public Handover(
      Engine engine, Handovers handovers, Orders orders, InputFiles files, LateArrivals late) {
    this.reporter = new Reporter(engine);
    this.handovers = handovers;
    this.orders = orders;
    this.files = files;
    this.late = late;
    this.unheard = new UnconfirmedSubmits(handovers, orders, InstantSource.system());
    this.left = new LeftWork(handovers, orders, InstantSource.system());
    this.calls = new DirectCalls(reporter, handovers.intents());
  }

  /** What came of handing an attempt over. */
  public sealed interface Result {
    /** It needs no slot any more: the service has it, or it is over. */
    record HandedOver() implements Result {}

    /** Nobody knows whether the service has it; it needs no slot, and the collector asks. */
    record Unconfirmed(Outcome.Uncertain why) implements Result {}

    /** The service does not have it, and this is how the attempt ended. */
    record Ended(Outcome outcome) implements Result {}
  }

  /** Has a service do the work while it is waited for, once. */
  public Outcome call(RunningAttempt attempt, Provider service) throws InterruptedException {
    return calls.run(attempt, service);
  }

  public Result run(RunningAttempt attempt, AsyncProvider service) throws InterruptedException {
    Optional<Report.Complete> adopted = late.result(attempt.turn());
    if (adopted.isPresent()) {
      reporter.tell(adopted.get(), attempt::lostLease);
      return new Result.HandedOver();
    }
    try {
      attempt.read(files.reachable(attempt));
    } catch (JobAssets.Missing e) {
      return new Result.Ended(new Outcome.Failed(String.valueOf(e.getMessage())));
    }
    if (left.ask(service, attempt.job().id()) instanceof LeftWork.Answer.There there) {
      return takeOver(attempt, service, there.standing());
    }
    return switch (unheard.ask(service, attempt.job().id(), content(attempt))) {
      case UnconfirmedSubmits.Answer.Found(String reference) -> adopt(attempt, service, reference);
      case UnconfirmedSubmits.Answer.Unknown(String message, Duration askAfter) ->
          wait(attempt, service, new Outcome.Uncertain(message), askAfter);
      case UnconfirmedSubmits.Answer.Settled(int submits, boolean counted) ->
          counted
              ? submit(attempt, service, submits)
              // Sending again is a failure with its backoff, which the collector reports.
              : wait(attempt, service, new Outcome.Uncertain(NOT_TAKEN), Duration.ZERO);
    };
  }

  /** The service has work of an earlier attempt: the collector waits for it in this one's name. */
  private Result takeOver(RunningAttempt attempt, AsyncProvider service, Standing standing)
      throws InterruptedException {
    Outcome.Uncertain why = new Outcome.Uncertain("An earlier attempt's work may be there.");
    Result result = wait(attempt, service, why, Duration.ZERO);
    return standing instanceof Standing.NoAnswer ? result : new Result.HandedOver();
  }

  /** The work of an earlier attempt is this one's, which sends nothing. */
  private Result adopt(RunningAttempt attempt, AsyncProvider service, String reference)
      throws InterruptedException {
    Order order = intend(attempt, service, null);
    return order == null ? stopped() : accept(attempt, service, order, reference, Duration.ZERO);
  }

  private Result submit(RunningAttempt attempt, AsyncProvider service, int settledBefore)
      throws InterruptedException {
    long began = System.nanoTime();
    Order order = intend(attempt, service, settledBefore);
    boolean late = System.nanoTime() - began > LONGEST_DELAY.toNanos();
    if (order == null || late || attempt.canceled()) {
      return stopped();
    }
    if (settledBefore > 0) {
      Optional<String> called = unheard.called(service.name(), attempt.job().id());
      if (called.isPresent()) {
        return accept(attempt, service, order, called.get(), Duration.ZERO);
      }
    }
    return switch (sent(service, order)) {
      case Submission.Accepted(String reference, Duration askAfter) ->
          accept(attempt, service, order, reference, askAfter);
      // Collecting it is the collector's: it asks once more, and then there is only one way.
      case Submission.Finished(String reference, _, _) ->
          accept(attempt, service, order, reference, Duration.ZERO);
      case Submission.Declined(Outcome.Uncertain why) -> {
        LOG.warn(
            "Whether {} took job {} is not known: {}",
            service.name(),
            order.jobId(),
            why.message());
        yield wait(attempt, service, why, FIRST_LOOK);
      }
      case Submission.Declined(Outcome outcome) -> new Result.Ended(outcome);
    };
  }

  private static Result stopped() {
    return new Result.Ended(new Outcome.Canceled());
  }

  /** Stores the intent; null if the attempt should stop instead. */
  private @Nullable Order intend(
      RunningAttempt attempt, AsyncProvider service, @Nullable Integer settledBefore)
      throws InterruptedException {
    Turn turn = attempt.turn();
    Report intend = new Report.Intend(turn.job(), turn.token(), service.name(), settledBefore);
    if (!reporter.tell(intend, attempt::canceled).done()) {
      return null;
    }
    Instant intendedAt =
        handovers
            .intents()
            .intendedAt(turn.job(), turn.attempt())
            .orElseThrow(
                () -> new IllegalStateException("the intent of " + turn.job() + " is gone"));
    return orders.order(service.name(), turn, intendedAt, content(attempt));
  }

  private static Orders.Content content(RunningAttempt attempt) {
    return new Orders.Content(
        attempt.job().terms().workflowId(), attempt.job().terms().runSeconds(), attempt.input());
  }

  /** A provider that breaks down, in whatever way, may have sent the call before. */
  private static Submission sent(AsyncProvider service, Order order) {
    try {
      return Objects.requireNonNull(service.submit(order), "the answer to a submit");
    } catch (Throwable e) {
      LOG.error("Provider {} broke down while submitting {}", service.name(), order, e);
      return new Submission.Declined(new Outcome.Uncertain("The provider broke down."));
    } finally {
      boolean _ = Thread.interrupted();
    }
  }

  private Result wait(
      RunningAttempt attempt, AsyncProvider service, Outcome.Uncertain why, Duration askAfter)
      throws InterruptedException {
    Turn turn = attempt.turn();
    schedule(turn, askAfter);
    reporter.tell(
        new Report.Unconfirmed(turn.job(), turn.token(), service.name()), attempt::lostLease);
    return new Result.Unconfirmed(why);
  }

  private Result accept(
      RunningAttempt attempt,
      AsyncProvider service,
      Order order,
      String reference,
      Duration askAfter)
      throws InterruptedException {
    Turn turn = attempt.turn();
    if (isAnothersWork(service, reference, turn)) {
      LOG.error("{} answered job {} with the id of other work", service.name(), order.jobId());
      return new Result.Ended(
          new Outcome.Failed("The provider answered with the id of other work."));
    }
    schedule(turn, askAfter);
    Reporter.Reply told =
        reporter.tell(new Report.Accept(turn.job(), turn.token(), reference), attempt::lostLease);
    if (told.done()) {
      nudgeIfHeard(service, reference);
    } else if (told.result() != null && !told.inDoubt() && nobodyWaits(turn)) {
      LOG.warn("Job {} is over; {} is asked to stop its work", order.jobId(), service.name());
      service.cancel(order, reference);
    }
    return new Result.HandedOver();
  }

  /** A job that only lost this lease goes on, and its next attempt asks for the work. */
  private boolean nobodyWaits(Turn turn) {
    return handovers
        .state(turn.job())
        .map(State::ofLabel)
        .filter(state -> !state.terminal() && state != State.CANCELING)
        .isEmpty();
  }

  /** A service that gives an id twice must not have one job's work taken for another's. */
  private boolean isAnothersWork(AsyncProvider service, String reference, Turn turn) {
    return handovers
        .byReference(service.name(), reference)
        .filter(known -> !known.token().equals(turn.token()))
        .isPresent();
  }

  /**
   * To be told before the attempt is out. Until then nobody can ask about it, so that nobody's
   * claim is taken away, and a claim that an earlier attempt left behind is. If this fails, the
   * collector asks at once, or when such a claim has run out.
   */
  private void schedule(Turn turn, Duration askAfter) {
    try {
      handovers.release(turn.job(), turn.token(), askAfter);
    } catch (RuntimeException e) {
      LOG.warn("When to ask about job {} was not stored", turn.jobId(), e);
    }
  }

  /** A callback that came before its reference was stored found nobody to nudge. */
  private void nudgeIfHeard(AsyncProvider service, String reference) {
    try {
      if (handovers.waiting(service.name(), reference).isPresent()) {
        handovers.nudge(service.name(), reference);
      }
    } catch (RuntimeException e) {
      LOG.warn("News of {} are looked at later", service.name(), e);
    }
  }
}
