package dev.millrace.web.console.job;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.history.EventView;
import dev.millrace.postgres.jobs.JobView;
import dev.millrace.web.console.frame.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The states of a job on one line, each as long as it lasted.
 *
 * @param parts in order; their positions are in thousandths of the whole
 * @param from when it began
 * @param to when it ended, or now
 */
public record Timeline(List<Part> parts, Instant from, Instant to) {

  private static final double WHOLE = 1000;

  /** So that what was over in a moment can still be seen. */
  private static final double LEAST = 6;

  public Timeline {
    parts = List.copyOf(parts);
  }

  /** One state for a while. */
  public record Part(State state, int attempt, Instant from, Instant to, double x, double width) {
    public String words() {
      return Words.state(state.label())
          + " for "
          + Words.span(from, to)
          + (attempt > 0 ? ", attempt " + attempt : "");
    }
  }

  static Timeline of(JobView job, List<EventView> events, Instant now) {
    Instant end = job.times().finishedAt() == null ? now : job.times().finishedAt();
    List<Part> parts = new ArrayList<>();
    @Nullable EventView open = null;
    Instant begin = job.times().createdAt();
    Instant last = end.isBefore(begin) ? begin : end;
    for (EventView event : events) {
      boolean change = event.trigger() != null;
      if (change && open != null) {
        parts.add(part(open, event.at(), begin, last));
      }
      if (change) {
        open = event;
      }
    }
    if (open != null && job.times().finishedAt() == null) {
      parts.add(part(open, last, begin, last));
    }
    return new Timeline(parts, begin, last);
  }

  private static Part part(EventView from, Instant to, Instant begin, Instant end) {
    double whole = Math.max(1, Duration.between(begin, end).toMillis());
    double start = Math.max(0, Duration.between(begin, from.at()).toMillis()) / whole * WHOLE;
    double length = Math.max(0, Duration.between(from.at(), to).toMillis()) / whole * WHOLE;
    double width = Math.min(WHOLE, Math.max(LEAST, length));
    return new Part(
        from.state(), from.attempt(), from.at(), to, Math.min(start, WHOLE - width), width);
  }

  public String length() {
    return Words.span(from, to);
  }
}
