package dev.millrace.web.console.job;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.fleet.Leases;
import dev.millrace.postgres.history.EventView;
import dev.millrace.postgres.jobs.AttemptView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.postgres.money.LedgerView;
import dev.millrace.postgres.webhooks.Deliveries;
import dev.millrace.service.fleet.Waits;
import dev.millrace.service.jobs.JobNotes;
import dev.millrace.web.api.json.JobJson;
import dev.millrace.web.console.frame.ShownOutput;
import dev.millrace.web.console.frame.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * All that the page of one job shows.
 *
 * @param why why it waits; null if it doesn't
 * @param lease who works on it, and until when; null if nobody does
 * @param archived whether its events were archived with their month
 * @param deliveries what endpoints were told of it; empty for who may not see them
 */
public record JobSheet(
    JobView job,
    List<ShownOutput> outputs,
    List<EventView> events,
    List<AttemptView> attempts,
    List<LedgerView> ledger,
    Timeline timeline,
    Waits.@Nullable Why why,
    Leases.@Nullable Standing lease,
    boolean archived,
    List<Deliveries.Told> deliveries) {

  private static final Set<State> RETRYABLE =
      Set.of(State.FAILED, State.DEAD_LETTER, State.EXPIRED, State.CANCELED, State.REJECTED);
  private static final Set<State> RETRYABLE_IN_PLACE =
      Set.of(State.FAILED, State.DEAD_LETTER, State.EXPIRED);

  public JobSheet {
    outputs = List.copyOf(outputs);
    events = List.copyOf(events);
    attempts = List.copyOf(attempts);
    ledger = List.copyOf(ledger);
    deliveries = List.copyOf(deliveries);
  }

  public boolean ended() {
    return job.state().terminal();
  }

  public boolean canCancel() {
    return !ended() && job.state() != State.CANCELING;
  }

  public boolean canRetry() {
    return RETRYABLE.contains(job.state());
  }

  public boolean canRetryInPlace() {
    return RETRYABLE_IN_PLACE.contains(job.state());
  }

  /** The newest events first, and not too many of them. */
  public List<EventView> latest() {
    return events.reversed().stream().limit(60).toList();
  }

  /** What canceling means for the wallet. */
  public String cancelMoney() {
    String held = Words.credits(job.credits().held());
    return switch (job.state()) {
      case RUNNING, SUBMITTED ->
          held
              + " are held. They come back when it has stopped; a result that comes first is kept"
              + " and paid.";
      default -> held + " are held. All of them come back at once.";
    };
  }

  /** Why a reviewer held some of it back. */
  public List<String> declinedReasons() {
    List<String> reasons = new ArrayList<>();
    for (JsonNode reason :
        JobJson.object(job.report().summary()).path("declined_reasons").values()) {
      reasons.add(reason.asString(""));
    }
    return reasons;
  }

  /** What whoever asked wrote on it. */
  public JobNotes notes() {
    return JobNotes.of(job);
  }

  public String money() {
    if (job.credits().holdOpen()) {
      return Words.credits(job.credits().held()) + " held";
    }
    return Words.credits(job.credits().captured())
        + " paid"
        + (job.credits().refunded() > 0
            ? ", " + Words.number(job.credits().refunded()) + " refunded"
            : "");
  }
}
