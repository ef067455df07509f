package dev.millrace.service.webhooks;

import dev.millrace.postgres.history.EventLog;
import dev.millrace.postgres.history.EventLog.Entry;
import dev.millrace.postgres.webhooks.Outbox;
import dev.millrace.postgres.webhooks.Outbox.Listener;
import dev.millrace.postgres.webhooks.Outbox.NewDelivery;
import dev.millrace.service.duties.Duty;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the log of events whenever something was committed, and every second in any case. */
final class LogReader implements Duty, Outbox.Reading {

  private static final Logger LOG = LoggerFactory.getLogger(LogReader.class);

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration SHORT_PAUSE = Duration.ofMillis(100);
  private static final Duration SUMMARY = Duration.ofSeconds(10);

  /** How much of the log's time one transaction takes on, after an outage. */
  private static final Duration SHORT = Duration.ofSeconds(10);

  private static final Duration LONG = Duration.ofHours(1);
  private static final int FEW = 1_000;

  private final Outbox outbox;
  private final EventLog log;
  private final WakeUp events;
  private final WakeUp due;
  private final WebhookMetrics metrics;
  private final Duration patience;
  private final Map<Long, Long> summarized = new HashMap<>();

  private boolean listening;
  private long heard;
  private long readAt = System.nanoTime() - PAUSE.toNanos();
  private long summarizedAt = System.nanoTime();

  LogReader(
      Outbox outbox,
      EventLog log,
      WakeUp events,
      WakeUp due,
      WebhookMetrics metrics,
      Duration patience) {
    this.outbox = outbox;
    this.log = log;
    this.events = events;
    this.due = due;
    this.metrics = metrics;
    this.patience = patience;
  }

  @Override
  public String name() {
    return "webhook-reader";
  }

  @Override
  public void run() throws InterruptedException {
    heard = events.await(heard, PAUSE);
    // Under load there is always more; a breath gathers it. Where nobody listens there is no hurry.
    WakeUp.rest((listening ? SHORT_PAUSE : PAUSE).minusNanos(System.nanoTime() - readAt));
    Duration window = SHORT;
    Outbox.Read read;
    do {
      read = outbox.read(this, window, patience);
      readAt = System.nanoTime();
      metrics.read(read);
      if (read.deliveries() > 0) {
        due.ring();
      }
      boolean quiet = read.deliveries() < FEW && window.compareTo(LONG) < 0;
      window = quiet ? window.multipliedBy(2) : SHORT;
    } while (read.more());
    listening = read.listening();
    summarize(read);
  }

  /** Only where somebody listens does anybody read, and need to pass over what was read. */
  private void summarize(Outbox.Read read) {
    if (read.listening() && System.nanoTime() - summarizedAt > SUMMARY.toNanos()) {
      summarizedAt = System.nanoTime();
      log.summarize(summarized);
    }
  }

  @Override
  public boolean wantsProgress(Collection<Listener> listeners) {
    return listeners.stream().anyMatch(each -> each.events().contains(EventTypes.PROGRESS));
  }

  @Override
  public Stream<NewDelivery> deliveries(Entry event, Collection<Listener> listeners) {
    String type = EventTypes.of(event);
    List<Listener> wanting =
        listeners.stream()
            .filter(each -> each.tenantId() == event.tenantId())
            .filter(each -> !event.at().isBefore(each.since()))
            .filter(each -> EventTypes.wants(each.events(), type))
            .toList();
    if (wanting.isEmpty()) {
      return Stream.empty();
    }
    String payload = payload(event);
    return wanting.stream()
        .map(each ->
            new NewDelivery(
                each.tenantId(),
                each.id(),
                Payload.id(event),
                type,
                event.jobId(),
                event.seq(),
                payload));
  }

  /** An error's code is the only word that comes from outside; without it nothing can be wrong. */
  private static String payload(Entry event) {
    var json = Payload.of(event);
    if (!PayloadRules.objections(json.toString()).isEmpty()) {
      LOG.warn("The error code of job {} is left out of its webhook", event.jobId());
      json.withObject("/data").remove("error_code");
    }
    return json.toString();
  }
}
