package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reports that meet: in one batch, after the reaper looked, or on a clock that went back. */
class RaceTest {

  private final Bench bench = Bench.withCredits(100);

  @Test
  void of_two_results_in_one_batch_the_first_counts() {
    Leased leased = bench.running(new Order());
    Report complete = Bench.complete(leased.job().id(), leased.token());
    List<Result> results = bench.reportAll(complete, complete);
    assertThat(results.get(0)).isInstanceOf(Result.Done.class);
    assertThat(results.get(1)).isEqualTo(new Result.StaleLease());
    assertThat(bench.tables.outputs).hasSize(1);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(93);
  }

  @Test
  void a_result_wins_over_a_cancel_that_came_before_it_in_the_batch() {
    Leased leased = bench.running(new Order());
    JobId id = leased.job().id();
    bench.reportAll(new Report.Cancel(id), Bench.complete(id, leased.token()));
    assertThat(bench.job(id).state()).isEqualTo(State.COMPLETED);
    assertThat(bench.tables.eventsOf(id)).hasSize(4);
  }

  @Test
  void a_cancel_after_the_result_is_denied() {
    Leased leased = bench.running(new Order());
    JobId id = leased.job().id();
    List<Result> results =
        bench.reportAll(Bench.complete(id, leased.token()), new Report.Cancel(id));
    assertThat(results.get(1)).isInstanceOf(Result.Denied.class);
    assertThat(bench.job(id).state()).isEqualTo(State.COMPLETED);
  }

  @Test
  void a_heartbeat_saves_the_lease_from_a_reaper_that_looked_before_it() {
    Leased leased = bench.running(new Order());
    JobId id = leased.job().id();
    bench.advance(Bench.LEASE.minusMillis(1));
    bench.report(Bench.beat(id, leased.token()));
    bench.advance(Duration.ofSeconds(1));
    bench.done(new Report.LoseLease(id, leased.token(), false));
    assertThat(bench.job(id).state()).isEqualTo(State.RUNNING);
  }

  @Test
  void the_reaper_that_saw_an_older_lease_does_not_end_the_newer_one() {
    Leased first = bench.running(new Order());
    bench.done(new Report.Requeue(first.job().id(), first.token(), "spot"));
    Leased second = bench.lease();
    bench.advance(Bench.LEASE);
    bench.done(new Report.LoseLease(first.job().id(), first.token(), true));
    assertThat(bench.job(first.job().id()).lease()).isEqualTo(second.job().lease());
  }

  @Test
  void a_cancel_is_over_when_the_worker_says_so_or_the_grace_ends() {
    for (boolean confirmed : List.of(true, false)) {
      Leased leased = bench.running(new Order());
      JobId id = leased.job().id();
      Job canceling = bench.done(new Report.Cancel(id));
      assertThat(canceling.times().deadlineAt()).isEqualTo(bench.now().plus(Bench.GRACE));
      assertThat(canceling.lease()).isEqualTo(leased.job().lease());
      bench.advance(Bench.GRACE.minusMillis(1));
      assertThat(bench.done(new Report.MissDeadline(id))).isEqualTo(canceling);
      bench.advance(Duration.ofMillis(1));
      bench.done(
          confirmed
              ? new Report.AcknowledgeCancel(id, leased.token())
              : new Report.MissDeadline(id));
      assertThat(bench.job(id).state()).isEqualTo(State.CANCELED);
      assertThat(bench.tables.endedOf(id))
          .extracting(Attempt.Ended::outcome)
          .containsExactly("canceled");
    }
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @Test
  void one_report_about_nothing_does_not_disturb_the_others() {
    Leased leased = bench.running(new Order());
    JobId unknown = new JobId(1, new UUID(1, 2));
    JobId foreign = new JobId(2, leased.job().id().uuid());
    assertThat(
            bench.reportAll(
                new Report.Cancel(unknown),
                Bench.complete(foreign, leased.token()),
                Bench.complete(leased.job().id(), leased.token())))
        .startsWith(new Result.Missing(), new Result.Missing())
        .last()
        .isInstanceOf(Result.Done.class);
  }

  static List<Function<Leased, Report>> endings() {
    return List.of(
        l -> Bench.complete(l.job().id(), l.token()),
        l -> Bench.fail(l.job().id(), l.token(), Kind.RETRYABLE),
        l -> Bench.fail(l.job().id(), l.token(), Kind.PERMANENT),
        l -> new Report.Requeue(l.job().id(), l.token(), "spot"),
        l -> new Report.LoseLease(l.job().id(), l.token(), true),
        l -> new Report.Cancel(l.job().id()));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void time_never_goes_back_in_a_history_even_if_the_clock_does(Function<Leased, Report> ending) {
    Leased leased = bench.running(new Order());
    Instant started = bench.now();
    bench.advance(Duration.ofSeconds(-15));
    Job job = bench.done(ending.apply(leased));
    assertThat(job.times().changedAt()).isEqualTo(started);
    assertThat(bench.tables.endedOf(job.id()))
        .allSatisfy(attempt -> assertThat(attempt.at()).isEqualTo(started));
    if (job.state() == State.QUEUED) {
      bench.advance(Duration.ofSeconds(-15));
      assertThat(bench.lease().job().times().startedAt()).isEqualTo(started);
    }
  }

  @Test
  void a_job_that_is_past_its_run_deadline_ends_although_its_worker_is_alive() {
    Leased leased = bench.running(new Order());
    JobId id = leased.job().id();
    for (int seconds = 0; seconds < Order.RUN_SECONDS; seconds += 20) {
      bench.done(Bench.beat(id, leased.token()));
      bench.done(new Report.MissDeadline(id));
      bench.advance(Duration.ofSeconds(20));
    }
    assertThat(bench.done(new Report.MissDeadline(id)).state()).isEqualTo(State.EXPIRED);
    assertThat(bench.report(Bench.beat(id, leased.token()))).isEqualTo(new Result.StaleLease());
  }
}
