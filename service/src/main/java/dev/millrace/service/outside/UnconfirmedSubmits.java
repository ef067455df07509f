package dev.millrace.service.outside;

import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.postgres.outside.IntentView;
import dev.millrace.service.attempt.Turn;
import dev.millrace.spi.provider.AsyncProvider;
import dev.millrace.spi.provider.Finding;
import dev.millrace.spi.provider.Order;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a service about all of a job's submits that got no clear answer, before each further one
 * again: what is not there can show up. A submit counts as not taken only if the service says so
 * when its settling time has passed since the submit can have been sent last, by the database's
 * clock. A callback that names the submit is an answer as well.
 */
final class UnconfirmedSubmits {

  private static final Logger LOG = LoggerFactory.getLogger(UnconfirmedSubmits.class);

  private final Handovers handovers;
  private final Orders orders;
  private final InstantSource clock;

  UnconfirmedSubmits(Handovers handovers, Orders orders, InstantSource clock) {
    this.handovers = handovers;
    this.orders = orders;
    this.clock = clock;
  }

  /** What a service says of them. */
  sealed interface Answer {
    /** It has the work of one of them, and no attempt knows of it yet. */
    record Found(String reference) implements Answer {}

    /**
     * Of so many it is known what became of them, and nothing new is there.
     *
     * @param counted false if one of them was interrupted, and no failure has counted for that yet
     */
    record Settled(int submits, boolean counted) implements Answer {}

    /** Of at least one it is not known; asking again makes sense after this. */
    record Unknown(String message, Duration askAfter) implements Answer {}
  }

  Answer ask(AsyncProvider service, JobId job, Orders.Content content) {
    int settled = 0;
    boolean counted = true;
    Finding.@Nullable Unknown doubt = null;
    for (IntentView submit : handovers.intents().unheard(job, service.name())) {
      counted &= submit.counted();
      if (submit.reference() != null && !service.canBeAsked()) {
        // Only a callback that named this very submit can have told of the work.
        settled++;
        continue;
      }
      switch (found(service, job, submit, content)) {
        case Finding.Found(String reference) -> {
          Optional<HandoverView> known = handovers.byReference(service.name(), reference);
          if (known.isEmpty()) {
            return new Answer.Found(reference);
          }
          if (known.get().job().jobId().equals(job.uuid())) {
            settled++;
          } else {
            doubt = sooner(doubt, Finding.Unknown.forEver("It names the work of another job."));
          }
        }
        case Finding.Absent _ -> settled++;
        case Finding.Unknown unknown -> doubt = sooner(doubt, unknown);
      }
    }
    return doubt == null
        ? new Answer.Settled(settled, counted)
        : new Answer.Unknown(doubt.message(), doubt.askAfter());
  }

  /**
   * Work of the job that its service has called back about, naming one of these submits, and that
   * no attempt knows of yet.
   */
  Optional<String> called(String service, JobId job) {
    return handovers.intents().unheard(job, service).stream()
        .map(submit -> Intent.of(new Turn(job, submit.attempt(), submit.token())))
        .flatMap(intent -> handovers.intents().heardOf(service, intent.toString()).stream())
        .filter(reference -> handovers.byReference(service, reference).isEmpty())
        .findFirst();
  }

  private static Finding.Unknown sooner(Finding.@Nullable Unknown one, Finding.Unknown other) {
    return one == null || other.askAfter().compareTo(one.askAfter()) < 0 ? other : one;
  }

  private Finding found(
      AsyncProvider service, JobId job, IntentView submit, Orders.Content content) {
    Duration quiet = Duration.ofMillis(Math.max(0, (long) (submit.quietSeconds() * 1000)));
    Turn turn = new Turn(job, submit.attempt(), submit.token());
    Order order =
        orders
            .order(service.name(), turn, submit.intendedAt(), content)
            .lastSubmittedAt(clock.instant().minus(quiet));
    Optional<String> heard = handovers.intents().heardOf(service.name(), order.intent());
    if (heard.isPresent()) {
      return new Finding.Found(heard.get());
    }
    Finding finding = looked(service, order);
    if (finding instanceof Finding.Unknown && submit.judged() && order.callback().isEmpty()) {
      // Without an address of ours in it, the job's own later work can't be told from this one's.
      return new Finding.Absent();
    }
    Duration early = service.settlingTime().minus(quiet);
    return finding instanceof Finding.Absent && early.isPositive()
        ? new Finding.Unknown("It is too early to say.", early)
        : finding;
  }

  private static Finding looked(AsyncProvider service, Order order) {
    try {
      return service.find(order);
    } catch (Throwable e) {
      LOG.error("Provider {} broke down while looking for {}", service.name(), order, e);
      return Finding.Unknown.forEver("The provider broke down.");
    } finally {
      boolean _ = Thread.interrupted();
    }
  }
}
