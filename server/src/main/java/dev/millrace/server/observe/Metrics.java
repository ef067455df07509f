package dev.millrace.server.observe;

import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Changes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** What Prometheus can scrape. */
public final class Metrics {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<State, Counter> entered = new EnumMap<>(State.class);
  private final DistributionSummary batches =
      DistributionSummary.builder("millrace.batch.events")
          .description("How many job events one commit carried")
          .register(registry);

  public Metrics() {
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

  public void count(Changes changes) {
    for (JobEvent event : changes.events()) {
      if (event.transition()) {
        Objects.requireNonNull(entered.get(event.state())).increment();
      }
    }
    batches.record(changes.events().size());
  }

  public String scrape() {
    return registry.scrape();
  }
}
