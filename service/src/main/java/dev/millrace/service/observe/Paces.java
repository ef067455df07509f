package dev.millrace.service.observe;

import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.port.Changes;
import dev.millrace.postgres.catalogue.EffectTimings;
import dev.millrace.postgres.catalogue.EffectTimings.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How fast things go. Each node notes what completes on it and writes it down now and then, so that
 * a completion itself writes no row that others want to write too.
 */
public final class Paces {

  private static final int MOST_NOTED = 1_000;

  private final EffectTimings timings;
  private final Map<Integer, List<Double>> seconds = new HashMap<>();
  private final Map<Integer, Integer> completed = new HashMap<>();

  public Paces(EffectTimings timings) {
    this.timings = timings;
  }

  /** How long an effect's attempts take, in seconds. */
  public record Pace(double last, double p50, double p90) {}

  /** What a transaction changed; quick, because it runs on a thread of the lane. */
  public void note(Changes changes) {
    Set<JobId> done = new HashSet<>();
    for (JobEvent event : changes.events()) {
      if (event.trigger() == Trigger.COMPLETE) {
        done.add(event.job());
      }
    }
    if (!done.isEmpty()) {
      changes.changed().stream().filter(job -> done.contains(job.id())).forEach(this::note);
    }
  }

  private synchronized void note(Job job) {
    Instant started = job.times().startedAt();
    if (started == null) {
      return;
    }
    Duration took = Duration.between(started, job.times().changedAt());
    completed.merge(job.terms().workflowId(), 1, Integer::sum);
    List<Double> noted = seconds.computeIfAbsent(job.terms().effectId(), _ -> new ArrayList<>());
    if (noted.size() < MOST_NOTED) {
      noted.add(Math.max(0, took.toMillis() / 1000.0));
    }
  }

  /** Writes down what was noted since. What can't be written now is lost, and missed by nobody. */
  public void write() {
    Map<Integer, List<Double>> observed;
    Map<Integer, Integer> counted;
    synchronized (this) {
      observed = new HashMap<>(seconds);
      counted = new HashMap<>(completed);
      seconds.clear();
      completed.clear();
    }
    observed.forEach(
        (effect, all) -> timings.add(effect, all.getLast(), before -> Histogram.with(before, all)));
    counted.forEach(timings::completed);
  }

  /** By the effect's id. */
  public Map<Integer, Pace> all() {
    Map<Integer, Pace> paces = new HashMap<>();
    timings
        .all()
        .forEach((effect, timing) -> {
          Pace pace = pace(timing);
          if (pace != null) {
            paces.put(effect, pace);
          }
        });
    return paces;
  }

  private static @Nullable Pace pace(Timing timing) {
    OptionalDouble p50 = Histogram.quantile(timing.counts(), 0.5);
    OptionalDouble p90 = Histogram.quantile(timing.counts(), 0.9);
    return p50.isEmpty() || p90.isEmpty()
        ? null
        : new Pace(timing.lastSeconds(), rounded(p50.getAsDouble()), rounded(p90.getAsDouble()));
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
