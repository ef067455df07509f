package dev.millrace.engine.command;

import static dev.millrace.engine.command.Report.Fail.Kind.RETRYABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How attempts end, and what becomes of their jobs. */
class EndingTest {

  private final Bench bench = Bench.withCredits(100);

  @Test
  void a_result_is_stored_with_its_attempt_and_closes_the_job() {
    Leased leased = bench.running(new Order());
    JobId id = leased.job().id();
    Summary summary = Bench.summary(Map.of("seed", "4"));
    Job job = bench.done(new Report.Complete(id, leased.token(), List.of(Bench.output()), summary));
    assertThat(job.progress()).isEqualTo(new Progress(100, "done", "Completed"));
    assertThat(job.summary()).isEqualTo(summary);
    assertThat(job.times().finishedAt()).isEqualTo(bench.now());
    assertThat(job.lease()).isNull();
    assertThat(bench.tables.outputs)
        .singleElement()
        .satisfies(stored -> {
          assertThat(stored.attempt()).isEqualTo(1);
          assertThat(stored.file()).isEqualTo(Bench.output());
        });
    assertThat(bench.tables.endedOf(id))
        .containsExactly(new Attempt.Ended(id, 1, "completed", null, bench.now()));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(93);
  }

  @Test
  void a_result_for_review_waits_at_90_percent_with_the_hold_open() {
    Leased leased = bench.running(new Order().review(true));
    Job job = bench.done(Bench.complete(leased.job().id(), leased.token()));
    assertThat(job.state()).isEqualTo(State.WAITING_REVIEW);
    assertThat(job.progress().percent()).isEqualTo(90);
    assertThat(job.times().deadlineAt()).isEqualTo(bench.now().plus(Bench.REVIEW));
    assertThat(job.hold().open()).isTrue();
    assertThat(bench.tables.outputs).hasSize(1);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(90);
  }

  @Test
  void a_result_that_needs_review_is_not_handed_out_to_who_canceled_in_time() {
    Leased leased = bench.running(new Order().review(true));
    bench.done(new Report.Cancel(leased.job().id()));
    Job job = bench.done(Bench.complete(leased.job().id(), leased.token()));
    assertThat(job.state()).isEqualTo(State.CANCELED);
    assertThat(bench.tables.outputs).isEmpty();
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @Test
  void a_result_without_an_output_is_no_result() {
    assertThatThrownBy(() ->
            new Report.Complete(
                new JobId(1, new UUID(0, 0)), new UUID(0, 0), List.of(), Summary.EMPTY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void failures_back_off_longer_each_time_and_end_in_dead_letter_at_the_cap() {
    Leased leased = bench.running(new Order().caps(3, 10));
    for (long seconds : List.of(2L, 4L)) {
      Job failed = bench.done(Bench.fail(leased.job().id(), leased.token(), RETRYABLE));
      assertThat(failed.state()).isEqualTo(State.PENDING);
      assertThat(failed.times().dueAt()).isEqualTo(bench.now().plusSeconds(seconds));
      assertThat(failed.times().deadlineAt())
          .isEqualTo(failed.times().dueAt().plusSeconds(Order.QUEUE_SECONDS));
      assertThat(failed.failure()).isEqualTo(new Failure("oops", "It broke."));
      bench.store.setNow(failed.times().dueAt());
      bench.done(new Report.Promote(failed.id(), 1));
      leased = bench.lease();
    }
    Job dead = bench.done(Bench.fail(leased.job().id(), leased.token(), RETRYABLE));
    assertThat(dead.state()).isEqualTo(State.DEAD_LETTER);
    assertThat(dead.tries().failures()).isEqualTo(3);
    assertThat(dead.failure()).isEqualTo(new Failure("oops", "It broke."));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @Test
  void interruptions_do_not_wait_do_not_count_as_failures_and_end_at_their_own_cap() {
    Leased leased = bench.running(new Order().caps(1, 3));
    for (boolean lost : List.of(true, false)) {
      bench.advance(Bench.LEASE.minusSeconds(1));
      Job back =
          bench.done(
              lost
                  ? new Report.LoseLease(leased.job().id(), leased.token(), true)
                  : new Report.Requeue(leased.job().id(), leased.token(), "spot"));
      assertThat(back.state()).isEqualTo(State.QUEUED);
      assertThat(back.tries().failures()).isZero();
      assertThat(back.failure()).isNull();
      assertThat(back.times().deadlineAt()).isEqualTo(bench.now().plusSeconds(Order.QUEUE_SECONDS));
      leased = bench.lease();
    }
    bench.advance(Bench.LEASE);
    Job dead = bench.done(new Report.LoseLease(leased.job().id(), leased.token(), false));
    assertThat(dead.state()).isEqualTo(State.DEAD_LETTER);
    assertThat(dead.failure()).isNotNull().extracting(Failure::code).isEqualTo("interrupted");
    assertThat(bench.tables.endedOf(dead.id()))
        .extracting(Attempt.Ended::outcome)
        .containsExactly("lease_lost", "requeued", "lease_lost");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S,0",
    "PT1S,1",
    "PT1H,3600",
    "PT-5S,0",
    "P4000D,86400",
    "PT2562047788015215H,86400"
  })
  void what_the_provider_asks_for_wins_over_the_backoff_within_reason(
      Duration retryAfter, long seconds) {
    Leased leased = bench.running(new Order());
    Job job =
        bench.done(
            new Report.Fail(
                leased.job().id(),
                leased.token(),
                RETRYABLE,
                new Failure("busy", "Too many requests."),
                retryAfter,
                1));
    assertThat(job.state()).isEqualTo(State.PENDING);
    assertThat(job.times().dueAt()).isEqualTo(bench.now().plusSeconds(seconds));
  }

  @Test
  void the_log_of_a_failing_job_is_readable() {
    Leased leased = bench.running(new Order());
    Job job = bench.done(Bench.fail(leased.job().id(), leased.token(), RETRYABLE));
    assertThat(job.progress().message()).isEqualTo("Attempt 1 failed: It broke. Next try in 2 s");
  }
}
