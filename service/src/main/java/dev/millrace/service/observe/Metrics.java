package dev.millrace.service.observe;

import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Changes;
import dev.millrace.postgres.jobs.QueueView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Prometheus can scrape. */
public final class Metrics {

  private static final Logger LOG = LoggerFactory.getLogger(Metrics.class);

  /** However many scrape, and however often. */
  private static final Duration QUEUES_LAST = Duration.ofSeconds(2);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<State, Counter> entered = new EnumMap<>(State.class);
  private final DistributionSummary batches =
      DistributionSummary.builder("millrace.batch.events")
          .description("How many job events one commit carried")
          .register(registry);

  private final QueueGauges queues = new QueueGauges(registry);
  private final Supplier<List<QueueView>> standing;
  private volatile long shownAt = System.nanoTime() - QUEUES_LAST.toNanos();

  /**
   * What this node counts, and how the queues stand.
   *
   * @param standing looked up at a scrape, unless it was a moment ago
   */
  public Metrics(Supplier<List<QueueView>> standing) {
    this.standing = standing;
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    for (State state : State.values()) {
      entered.put(
          state,
          Counter.builder("millrace.job.transitions")
              .description("How often a job entered a state")
              .tag("state", state.label())
              .register(registry));
    }
  }

  /** Where other parts of the server count. */
  public MeterRegistry registry() {
    return registry;
  }

  public void count(Changes changes) {
    for (JobEvent event : changes.events()) {
      if (event.transition()) {
        Objects.requireNonNull(entered.get(event.state())).increment();
      }
    }
    batches.record(changes.events().size());
  }

  public String scrape() {
    showQueues();
    return registry.scrape();
  }

  /** The other numbers are worth having even while the database is away. */
  private void showQueues() {
    long now = System.nanoTime();
    if (now - shownAt < QUEUES_LAST.toNanos()) {
      return;
    }
    shownAt = now;
    try {
      queues.show(standing.get());
    } catch (RuntimeException e) {
      LOG.warn("The queues could not be looked at for a scrape", e);
    }
  }
}
