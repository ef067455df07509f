package dev.millrace.service.outside;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.outside.HandoverView;
import dev.millrace.postgres.outside.Handovers;
import dev.millrace.service.attempt.Accounts;
import dev.millrace.service.attempt.Turn;
import dev.millrace.spi.provider.Standing;
import dev.millrace.spi.provider.Verification;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes in what services call back. News of an end is stored before it is answered, whether its
 * work is known yet or not; the collector does the rest. Progress is passed on and forgotten.
 */
public final class CallbackInbox {

  private final Accounts accounts;
  private final Handovers handovers;
  private final Engine engine;
  private final Runnable news;

  /**
   * @param news told that there is something to collect
   */
  public CallbackInbox(Accounts accounts, Handovers handovers, Engine engine, Runnable news) {
    this.accounts = accounts;
    this.handovers = handovers;
    this.engine = engine;
    this.news = news;
  }

  /** What became of a call. */
  public sealed interface Receipt {
    /** There is no such service here. */
    record NoSuchService() implements Receipt {}

    /** It is not believed. */
    record Refused(Verification.Reason reason, String message) implements Receipt {}

    /** It is stored, or was before. */
    record Taken(boolean again) implements Receipt {}

    /** It told of progress. */
    record Noted() implements Receipt {}
  }

  /**
   * Takes a call in.
   *
   * @param address the last part of the address that was called
   * @param body exactly the bytes that came in
   */
  public Receipt receive(
      String service, String address, Map<String, List<String>> headers, byte[] body)
      throws InterruptedException {
    Optional<Verification> verification = accounts.verify(service, headers, body);
    if (verification.isEmpty()) {
      return new Receipt.NoSuchService();
    }
    return switch (verification.get()) {
      case Verification.Refused(var reason, String message) -> new Receipt.Refused(reason, message);
      case Verification.Genuine genuine when genuine.standing() instanceof Standing.Going going -> {
        handovers.byReference(service, genuine.reference()).ifPresent(work -> pass(work, going));
        yield new Receipt.Noted();
      }
      case Verification.Genuine genuine -> take(service, address, genuine);
    };
  }

  private Receipt take(String service, String address, Verification.Genuine genuine) {
    @Nullable String intent =
        Stream.concat(genuine.intent().stream(), Stream.of(address))
            .filter(text -> known(service, text))
            .findFirst()
            .orElse(null);
    Callbacks.Reception heard =
        engine.hear(
            new Callbacks.Receive(
                new Callback.Id(service, genuine.eventId()), genuine.reference(), intent));
    if (!handovers.nudge(service, genuine.reference()) && intent != null) {
      Intent.parse(intent).map(Intent::job).ifPresent(handovers::nudge);
    }
    news.run();
    return new Receipt.Taken(heard == Callbacks.Reception.REPEATED);
  }

  /**
   * Whether only a call of this service, which has not come, could tell that it has work of the
   * job: an earlier submit may have been taken, and the service can't be asked. As long as that is
   * so, nothing is sent for the job.
   */
  public boolean isOnlyHope(JobId job, String service) {
    return accounts.service(service, job.tenant()).filter(known -> !known.canBeAsked()).isPresent()
        && handovers.intents().unheard(job, service).stream()
            .filter(submit -> submit.reference() == null)
            .map(submit -> Intent.of(new Turn(job, submit.attempt(), submit.token())))
            .anyMatch(intent -> handovers.intents().heardOf(service, intent.toString()).isEmpty());
  }

  /** Only who was told it can know an intent with its stamp. */
  private boolean known(String service, String text) {
    Optional<Intent> intent = Intent.parse(text);
    return intent.isPresent()
        && handovers
            .intents()
            .token(intent.get().job(), intent.get().attempt(), service)
            .filter(intent.get()::isOf)
            .isPresent();
  }

  /** A job that is over, or busy, does without. */
  private void pass(HandoverView work, Standing.Going going) {
    try {
      engine.report(Reporter.progress(work, going));
    } catch (Store.Unavailable _) {
      // The next one, or the look at the service, tells more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
