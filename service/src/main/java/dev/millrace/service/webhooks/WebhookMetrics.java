package dev.millrace.service.webhooks;

import dev.millrace.postgres.webhooks.Outbox;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What this node counts about webhooks. */
final class WebhookMetrics {

  /** How an attempt ended. */
  enum Outcome {
    DELIVERED,
    AGAIN,
    GIVEN_UP,
    GONE
  }

  private final Map<Outcome, Counter> attempts = new EnumMap<>(Outcome.class);
  private final Counter made;
  private final Timer answers;
  private volatile double lagSeconds;
  private volatile long pending;

  WebhookMetrics(MeterRegistry registry) {
    for (Outcome outcome : Outcome.values()) {
      attempts.put(
          outcome,
          Counter.builder("millrace.webhook.attempts")
              .description("How often a webhook was sent, by how it ended")
              .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    made =
        Counter.builder("millrace.webhook.deliveries")
            .description("How many webhooks were found to be due")
            .register(registry);
    answers =
        Timer.builder("millrace.webhook.answer")
            .description("How long endpoints took to answer")
            .register(registry);
    Gauge.builder("millrace.webhook.lag.seconds", () -> lagSeconds)
        .description("How far the reading of events is behind")
        .register(registry);
    Gauge.builder("millrace.webhook.pending", () -> pending)
        .description("How many webhooks wait to be sent, of all nodes")
        .register(registry);
  }

  void read(Outbox.Read read) {
    made.increment(read.deliveries());
    lagSeconds = read.lag().toMillis() / 1000.0;
  }

  void sent(Outcome outcome, Duration took) {
    Objects.requireNonNull(attempts.get(outcome)).increment();
    answers.record(took);
  }

  void pending(long deliveries) {
    pending = deliveries;
  }
}
