package dev.millrace.service.observe;

import dev.millrace.postgres.jobs.QueueView;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The queues as Prometheus sees them: one line for each workflow. Every node tells the same. */
final class QueueGauges {

  private final Map<MultiGauge, ToDoubleFunction<QueueView>> gauges = new LinkedHashMap<>();

  QueueGauges(MeterRegistry registry) {
    add(registry, "depth", "Jobs that could start now", queue -> queue.load().depth());
    add(registry, "pending", "Jobs that wait for their time", queue -> queue.load().pending());
    add(registry, "running", "Jobs that somebody works on", queue -> queue.load().running());
    add(registry, "demand", "Jobs that run or could start now", queue -> queue.load().demand());
    add(
        registry,
        "oldest.age.seconds",
        "How long the job that waits longest could have started",
        QueueView::oldestAgeSeconds);
    add(
        registry,
        "completed.per.minute",
        "Jobs that ended well, on average over five minutes",
        QueueView::completedPerMinute);
    add(registry, "workers.busy", "Workers that hold a job", queue -> queue.fleet().busyWorkers());
    add(
        registry,
        "workers.idle",
        "Workers that hold none and could",
        queue -> queue.fleet().idleWorkers());
    add(
        registry,
        "workers.not.ready",
        "Workers that can't run anything now",
        queue -> queue.fleet().notReadyWorkers());
    add(
        registry,
        "slots.idle",
        "How many more jobs the workers could hold",
        queue -> queue.fleet().idleSlots());
  }

  private void add(
      MeterRegistry registry, String name, String description, ToDoubleFunction<QueueView> value) {
    gauges.put(
        MultiGauge.builder("millrace.queue." + name).description(description).register(registry),
        value);
  }

  void show(List<QueueView> queues) {
    gauges.forEach((gauge, value) ->
        gauge.register(
            queues.stream()
                .map(queue ->
                    MultiGauge.Row.of(
                        Tags.of("workflow", queue.workflow()), value.applyAsDouble(queue)))
                .toList(),
            true));
  }
}
