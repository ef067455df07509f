package dev.millrace.server.executor;

import dev.millrace.contract.provider.AsyncProvider;
import dev.millrace.contract.provider.Finding;
import dev.millrace.contract.provider.Order;
import dev.millrace.contract.provider.Outcome;
import dev.millrace.contract.provider.Submission;
import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.records.Handovers;
import dev.millrace.postgres.records.IntentView;
import dev.millrace.server.files.JobAssets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands attempts to outside services. The intent is stored before the call. If nobody knows whether
 * the call was taken, the service is asked, as long as it takes: nothing is ever sent on a guess.
 */
public final class Handover {

  private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

  /** A callback can solve the riddle at any time, and looking for one costs little. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Reporter reporter;
  private final Handovers handovers;
  private final Orders orders;
  private final InputFiles files;
  private final LateArrivals late;

  public Handover(
      Engine engine, Handovers handovers, Orders orders, InputFiles files, LateArrivals late) {
    this.reporter = new Reporter(engine);
    this.handovers = handovers;
    this.orders = orders;
    this.files = files;
    this.late = late;
  }

  /** A service's answer, once it has one. */
  private sealed interface Answer {
    /** It has the work, and should be asked about it after this. */
    record Taken(String reference, Duration askAfter) implements Answer {}

    /** It surely has nothing. */
    record Nothing() implements Answer {}

    /** It will not take it, or nobody waits for an answer any more. */
    record Over(Outcome outcome) implements Answer {}
  }

  /** Empty once the service has the work; then a collector goes on. Otherwise how it ended. */
  Optional<Outcome> run(Attempt attempt, AsyncProvider service) throws InterruptedException {
    Optional<Report.Complete> adopted = late.adopted(attempt.turn());
    if (adopted.isPresent()) {
      reporter.tell(adopted.get(), attempt::lostLease);
      return Optional.empty();
    }
    try {
      attempt.read(files.reachable(attempt));
    } catch (JobAssets.Missing e) {
      return Optional.of(new Outcome.Failed(String.valueOf(e.getMessage())));
    }
    Answer answer = earlier(attempt, service);
    if (answer instanceof Answer.Over(Outcome outcome)) {
      return Optional.of(outcome);
    }
    Turn turn = attempt.turn();
    Report intend = new Report.Intend(turn.job(), turn.token(), service.name());
    if (!reporter.tell(intend, attempt::canceled).done()) {
      return Optional.of(new Outcome.Canceled());
    }
    Order order = order(attempt, service, turn, intendedAt(turn));
    while (answer instanceof Answer.Nothing && !attempt.canceled()) {
      answer = submit(attempt, service, order);
    }
    return switch (answer) {
      case Answer.Taken taken -> accept(attempt, service, order, taken);
      case Answer.Over(Outcome outcome) -> Optional.of(outcome);
      case Answer.Nothing() -> Optional.of(new Outcome.Canceled());
    };
  }

  private Instant intendedAt(Turn turn) {
    return handovers
        .intendedAt(turn.job(), turn.attempt())
        .orElseThrow(() -> new IllegalStateException("the intent of " + turn.job() + " is gone"));
  }

  private Order order(Attempt attempt, AsyncProvider service, Turn turn, Instant intendedAt) {
    return orders.order(
        service.name(),
        turn,
        intendedAt,
        new Orders.Content(
            attempt.job().facts().workflowId(),
            attempt.job().facts().runSeconds(),
            attempt.input()));
  }

  /** An attempt before this one may have left work there, which nobody heard of. */
  private Answer earlier(Attempt attempt, AsyncProvider service) throws InterruptedException {
    for (IntentView before : handovers.unsettled(attempt.job().id(), service.name())) {
      Turn turn = new Turn(attempt.job().id(), before.attempt(), before.token());
      Order order = order(attempt, service, turn, before.intendedAt());
      Answer answer = find(attempt, service, order);
      if (!(answer instanceof Answer.Nothing)) {
        return answer;
      }
    }
    return new Answer.Nothing();
  }

  private Answer submit(Attempt attempt, AsyncProvider service, Order order)
      throws InterruptedException {
    return switch (sent(service, order)) {
      case Submission.Accepted(String reference, Duration askAfter) ->
          new Answer.Taken(reference, askAfter);
      // Collecting it is the collector's: it asks once more, and then there is only one way.
      case Submission.Finished(String reference, _, _) ->
          new Answer.Taken(reference, Duration.ZERO);
      case Submission.Declined(Outcome.Uncertain(String message)) -> {
        LOG.warn("Whether {} took job {} is not known: {}", service.name(), order.jobId(), message);
        yield find(attempt, service, order);
      }
      case Submission.Declined(Outcome outcome) -> new Answer.Over(outcome);
    };
  }

  /** A provider that breaks down may have sent the call before. */
  private static Submission sent(AsyncProvider service, Order order) {
    try {
      return service.submit(order);
    } catch (Exception e) {
      LOG.error("Provider {} broke down while submitting {}", service.name(), order, e);
      return new Submission.Declined(new Outcome.Uncertain("the provider broke down"));
    } finally {
      boolean _ = Thread.interrupted();
    }
  }

  /** Asks until there is an answer. A callback that names the intent is one as well. */
  private Answer find(Attempt attempt, AsyncProvider service, Order order)
      throws InterruptedException {
    while (!attempt.canceled()) {
      Finding finding = found(service, order);
      switch (finding) {
        case Finding.Found(String reference) -> {
          return new Answer.Taken(reference, Duration.ZERO);
        }
        case Finding.Absent() -> {
          return new Answer.Nothing();
        }
        case Finding.Unknown(_, Duration askAfter) -> {
          Optional<String> heard = awaitCallback(attempt, service, order, askAfter);
          if (heard.isPresent()) {
            return new Answer.Taken(heard.get(), Duration.ZERO);
          }
        }
      }
    }
    return new Answer.Over(new Outcome.Canceled());
  }

  private static Finding found(AsyncProvider service, Order order) {
    try {
      return service.find(order);
    } catch (Exception e) {
      LOG.error("Provider {} broke down while looking for {}", service.name(), order, e);
      return Finding.Unknown.forEver("the provider broke down");
    } finally {
      boolean _ = Thread.interrupted();
    }
  }

  private Optional<String> awaitCallback(
      Attempt attempt, AsyncProvider service, Order order, Duration most)
      throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    do {
      Optional<String> heard = handovers.heardOf(service.name(), order.intent());
      if (heard.isPresent()) {
        return heard;
      }
    } while (!attempt.awaitStop(LOOK) && System.nanoTime() - end < 0);
    return Optional.empty();
  }

  private Optional<Outcome> accept(
      Attempt attempt, AsyncProvider service, Order order, Answer.Taken taken)
      throws InterruptedException {
    Turn turn = attempt.turn();
    Reporter.Told told =
        reporter.tell(
            new Report.Accept(turn.job(), turn.token(), taken.reference()), attempt::lostLease);
    boolean again =
        told.inDoubt()
            && told.result() instanceof Report.Result.Denied(var state, _)
            && state == State.SUBMITTED;
    if (told.done() || again) {
      schedule(turn, service, taken);
    } else if (!told.inDoubt()) {
      LOG.warn("Job {} is over; {} is asked to stop its work", order.jobId(), service.name());
      service.cancel(order, taken.reference());
    }
    return Optional.empty();
  }

  /** If this fails the collector asks at once, which does no harm. */
  private void schedule(Turn turn, AsyncProvider service, Answer.Taken taken) {
    try {
      boolean heard = handovers.waiting(service.name(), taken.reference()).isPresent();
      handovers.release(turn.job(), turn.token(), heard ? Duration.ZERO : taken.askAfter());
    } catch (RuntimeException e) {
      LOG.warn("When to ask about job {} was not stored", turn.jobId(), e);
    }
  }
}
