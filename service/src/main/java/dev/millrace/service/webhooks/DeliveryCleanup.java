package dev.millrace.service.webhooks;

import dev.millrace.postgres.webhooks.Deliveries;
import dev.millrace.service.duties.Duty;
import java.time.Duration;

/** Forgets old deliveries, and counts those that wait. */
final class DeliveryCleanup implements Duty {

  private static final int PAGE = 1_000;

  private final Deliveries deliveries;
  private final Duration retention;
  private final WebhookMetrics metrics;

  DeliveryCleanup(Deliveries deliveries, Duration retention, WebhookMetrics metrics) {
    this.deliveries = deliveries;
    this.retention = retention;
    this.metrics = metrics;
  }

  @Override
  public String name() {
    return "webhook-housekeeping";
  }

  @Override
  public void run() {
    metrics.pending(deliveries.pending());
    int forgotten;
    do {
      forgotten = deliveries.forget(retention, PAGE);
    } while (forgotten == PAGE);
  }
}
