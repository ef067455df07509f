package dev.millrace.service.outside;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.service.attempt.Verdicts;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Order;
import dev.millrace.spi.provider.Outcome;
import dev.millrace.spi.provider.Standing;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

/**
 * Asks a service about work that it took for an earlier attempt of a job, and that nobody has seen
 * the end of: the attempt expired, or lost its lease; or whose result could not be used. What is
 * there is the job's, and paid for; so the next attempt waits for it, or takes its result. Only
 * work that is known to have ended badly is a reason to order again.
 */
final class LeftWork {

  private final Handovers handovers;
  private final Orders orders;
  private final MissingWork missing;

  LeftWork(Handovers handovers, Orders orders, InstantSource clock) {
    this.handovers = handovers;
    this.orders = orders;
    this.missing = new MissingWork(clock);
  }

  /** What a service says of it. */
  sealed interface Answer {
    /** There is none, or all of it has ended badly. */
    record Nothing() implements Answer {}

    /** There is some: it goes on, it has succeeded, or the service can't say now. */
    record There(Order order, String reference, Standing standing) implements Answer {}
  }

  Answer ask(AsyncProvider service, JobId job) throws InterruptedException {
    for (HandoverView work : left(service, job)) {
      String reference = Objects.requireNonNull(work.reference());
      Order order = orders.order(work);
      Standing standing = collect(service, order, reference);
      if (!endedBadly(standing)) {
        return new Answer.There(order, reference, standing);
      }
    }
    return new Answer.Nothing();
  }

  private List<HandoverView> left(AsyncProvider service, JobId job) {
    return handovers.left(job, service.name(), Verdicts.NOT_TAKEN, Verdicts.UNUSED);
  }

  /** Asks about work, and doubts a service that says it does not know it. */
  Standing collect(AsyncProvider service, Order order, String reference)
      throws InterruptedException {
    return missing.believed(service.name(), reference, service.collect(order, reference));
  }

  private static boolean endedBadly(Standing standing) {
    return standing instanceof Standing.Ended ended
        && !(ended.outcome() instanceof Outcome.Succeeded);
  }
}
