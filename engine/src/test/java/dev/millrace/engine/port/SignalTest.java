package dev.millrace.engine.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.job.AfterEnd;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.job.Times;
import dev.millrace.engine.job.Tries;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Hold;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SignalTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void queues_with_new_work_and_jobs_with_new_events_are_named() {
    Job made = job(1, 10, State.QUEUED);
    Job delayed = job(2, 20, State.PENDING);
    Job requeued = job(3, 30, State.QUEUED);
    Job taken = job(4, 40, State.RUNNING);
    Signal signal =
        Signal.of(changes(List.of(made, delayed), List.of(requeued, taken), List.of(made, taken)));
    assertThat(signal)
        .isEqualTo(
            new Signal(
                Set.of(10, 30), Set.of(made.id().uuid(), taken.id().uuid()), Set.of(), false));
    assertThat(signal.isEmpty()).isFalse();
  }

  @Test
  void a_lease_that_was_only_extended_wakes_nobody() {
    Job alive = job(1, 10, State.RUNNING);
    assertThat(Signal.of(changes(List.of(), List.of(alive), List.of())).isEmpty()).isTrue();
  }

  @Test
  void a_signal_for_everything_is_not_empty() {
    assertThat(Signal.EVERYTHING.isEmpty()).isFalse();
    assertThat(new Signal(Set.of(), Set.of(), Set.of(), false).isEmpty()).isTrue();
    assertThat(Signal.ofWorker(new UUID(0, 1)).isEmpty()).isFalse();
    assertThat(Signal.ofQueue(1).isEmpty()).isFalse();
  }

  private static Changes changes(List<Job> made, List<Job> changed, List<Job> told) {
    return new Changes(
        NOON,
        List.of(),
        new Changes.OfJobs(
            made.stream()
                .map(job -> new Changes.NewJob(job, 0, "{}", null, "f", Changes.Links.NONE))
                .toList(),
            changed,
            List.of(),
            told.stream().map(job -> JobEvent.of(job, null, job.state())).toList()),
        new Changes.OfMoney(List.of(), List.of()),
        new Changes.OfResults(List.of(), List.of(), List.of(), List.of()),
        new Changes.OfQueues(List.of(), Map.of()),
        new Changes.OfInbox(List.of(), List.of()),
        List.of());
  }

  private static Job job(int number, int workflow, State state) {
    return new Job(
        new JobId(1, new UUID(0, number)),
        new JobTerms(1, 1, workflow, 0, 60, 60, JobTerms.Rules.USUAL),
        state,
        new Job.History(1, Progress.NONE, Summary.EMPTY),
        new Job.Work(Tries.none(3, 10), null, 0),
        new Hold(1, 0, true, 0),
        new Times(NOON, NOON, null, null, NOON, NOON),
        new Job.Ending(null, AfterEnd.NONE));
  }
}
