package dev.millrace.web.console.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.history.EventView;
import dev.millrace.postgres.jobs.JobView;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The states of a job drawn to scale. */
class TimelineTest {

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  @Test
  void each_state_is_as_long_as_it_lasted() {
    Timeline line =
        Timeline.of(
            job(START.plusSeconds(100)),
            List.of(
                event(1, "submit", State.QUEUED, 0, 0),
                event(2, "lease", State.RUNNING, 1, 25),
                event(3, null, State.RUNNING, 1, 50),
                event(4, "complete", State.COMPLETED, 1, 100)),
            START.plusSeconds(500));
    assertThat(line.parts())
        .extracting(Timeline.Part::state)
        .containsExactly(State.QUEUED, State.RUNNING);
    assertThat(line.parts()).extracting(Timeline.Part::x).containsExactly(0.0, 250.0);
    assertThat(line.parts()).extracting(Timeline.Part::width).containsExactly(250.0, 750.0);
    assertThat(line.length()).isEqualTo("1 min 40 s");
  }

  @Test
  void a_job_that_goes_on_reaches_to_now() {
    Timeline line =
        Timeline.of(
            job(null),
            List.of(
                event(1, "submit", State.QUEUED, 0, 0), event(2, "lease", State.RUNNING, 1, 30)),
            START.plusSeconds(60));
    assertThat(line.parts().getLast().width()).isEqualTo(500.0);
  }

  @Test
  void a_moment_can_still_be_seen() {
    Timeline line =
        Timeline.of(
            job(START.plusSeconds(1000)),
            List.of(
                event(1, "submit", State.QUEUED, 0, 0),
                event(2, "lease", State.RUNNING, 1, 1000),
                event(3, "complete", State.COMPLETED, 1, 1000)),
            START);
    Timeline.Part moment = line.parts().getLast();
    assertThat(moment.width()).isEqualTo(6.0);
    assertThat(moment.x() + moment.width()).isLessThanOrEqualTo(1000.0);
  }

  private static EventView event(
      int seq, @Nullable String trigger, State state, int attempt, long second) {
    return new EventView(
        seq,
        trigger,
        null,
        state,
        new EventView.Report(0, null, null, null),
        attempt,
        START.plusSeconds(second));
  }

  private static JobView job(@Nullable Instant finished) {
    return new JobView(
        UUID.randomUUID(),
        finished == null ? State.RUNNING : State.COMPLETED,
        new JobView.Request(1, "ada", "a/b", 1, "a", 0, null),
        new JobView.Report(0, null, null, null, 3),
        new JobView.Tries(1, 0, 0, null, null),
        new JobView.Credits(5, finished == null, 0, "job", 0, 0),
        new JobView.Times(START, START, START, finished, null, null),
        new JobView.Links(null, null, null, null, null, null));
  }
}
