package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Callbacks.Reception;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Callback.Verdict;
import dev.millrace.engine.port.Changes;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A provider calls back: in time, again, too early, too late, or about nothing we know. */
class CallbacksTest {

  private static final Callback.Id CALL = new Callback.Id("faraway", "evt-1");
  private static final Duration PATIENCE = Duration.ofHours(1);

  private final Bench bench = Bench.withCredits(100);
  private final Leased leased = bench.running(new Order());
  private final JobId id = leased.job().id();

  @Test
  void a_callback_is_kept_until_somebody_knows_its_work() {
    assertThat(hear(receive())).isEqualTo(Reception.NEW);
    assertThat(bench.tables.inbox.get(CALL))
        .isEqualTo(new Callback(CALL, "their-1", null, Verdict.WAITING, bench.now()));
    bench.advance(Duration.ofSeconds(3));
    hand();
    assertThat(bench.done(complete(CALL)).state()).isEqualTo(State.COMPLETED);
    assertThat(verdict(CALL)).isEqualTo(Verdict.APPLIED);
    assertThat(bench.last().judged())
        .containsExactly(new Changes.Judged(CALL, Verdict.APPLIED, id));
  }

  @Test
  void a_callback_that_comes_again_changes_nothing() {
    hand();
    hear(receive());
    var first = bench.now();
    bench.advance(Duration.ofSeconds(1));
    assertThat(hear(receive())).isEqualTo(Reception.REPEATED);
    bench.done(complete(CALL));
    assertThat(hear(receive())).isEqualTo(Reception.REPEATED);
    assertThat(verdict(CALL)).isEqualTo(Verdict.APPLIED);
    assertThat(Objects.requireNonNull(bench.tables.inbox.get(CALL)).receivedAt()).isEqualTo(first);
    assertThat(bench.report(complete(CALL))).isEqualTo(new Result.Repeated());
    assertThat(bench.last().isEmpty()).isTrue();
  }

  @Test
  void two_that_come_in_one_batch_are_one() {
    assertThat(bench.run(new Callbacks(), List.of(receive(), receive())))
        .containsExactly(Reception.NEW, Reception.REPEATED);
    assertThat(bench.tables.inbox).hasSize(1);
  }

  @Test
  void of_two_reports_of_one_callback_in_one_batch_the_first_counts() {
    hand();
    hear(receive());
    List<Result> results = bench.reportAll(complete(CALL), complete(CALL), fail(CALL));
    assertThat(results.get(0)).isInstanceOf(Result.Done.class);
    assertThat(results.subList(1, 3)).containsOnly(new Result.Repeated());
    assertThat(bench.tables.outputs).hasSize(1);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(93);
  }

  @Test
  void a_callback_that_was_never_received_decides_nothing() {
    hand();
    assertThat(bench.report(complete(CALL))).isEqualTo(new Result.Repeated());
    assertThat(bench.job(id).state()).isEqualTo(State.SUBMITTED);
  }

  @Test
  void a_second_callback_about_a_job_that_is_decided_is_late() {
    hand();
    Callback.Id second = new Callback.Id("faraway", "evt-2");
    hear(receive());
    hear(new Callbacks.Receive(second, "their-1"));
    List<Result> results = bench.reportAll(complete(CALL), fail(second));
    assertThat(results.get(1)).isEqualTo(new Result.StaleLease());
    assertThat(verdict(second)).isEqualTo(Verdict.LATE);
    assertThat(bench.job(id).state()).isEqualTo(State.COMPLETED);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(93);
  }

  @Test
  void a_callback_after_the_deadline_is_late_even_before_the_reaper_comes() {
    hand();
    hear(receive());
    bench.advance(Bench.CALLBACK);
    assertThat(bench.report(complete(CALL))).isEqualTo(new Result.StaleLease());
    assertThat(verdict(CALL)).isEqualTo(Verdict.LATE);
    bench.done(new Report.MissDeadline(id));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
    assertThat(bench.tables.outputs).isEmpty();
  }

  @Test
  void a_callback_of_an_attempt_that_is_over_is_judged_late_and_its_job_is_left_alone() {
    hand();
    hear(receive());
    bench.done(Bench.fail(id, leased.token(), Kind.PERMANENT));
    Job before = bench.job(id);
    assertThat(hear(late())).isEqualTo(Reception.LATE);
    assertThat(bench.last().judged()).containsExactly(new Changes.Judged(CALL, Verdict.LATE, id));
    assertThat(bench.job(id)).isEqualTo(before);
    assertThat(hear(late())).isEqualTo(Reception.KEPT);
    assertThat(bench.report(complete(CALL))).isEqualTo(new Result.Repeated());
  }

  @Test
  void a_callback_that_can_still_be_applied_is_never_judged_late() {
    hand();
    hear(receive());
    Job before = bench.job(id);
    assertThat(hear(late())).isEqualTo(Reception.KEPT);
    assertThat(bench.last().isEmpty()).isTrue();
    assertThat(bench.job(id)).isEqualTo(before);
    assertThat(bench.done(complete(CALL)).state()).isEqualTo(State.COMPLETED);
    assertThat(verdict(CALL)).isEqualTo(Verdict.APPLIED);
  }

  @Test
  void a_callback_of_a_job_that_is_gone_is_late_without_it() {
    hear(receive());
    JobId gone = new JobId(1, new UUID(9, 9));
    assertThat(hear(new Callbacks.JudgeLate(CALL, gone, leased.token()))).isEqualTo(Reception.LATE);
    assertThat(bench.last().judged()).containsExactly(new Changes.Judged(CALL, Verdict.LATE, null));
  }

  @Test
  void a_callback_about_a_job_that_was_deleted_is_late() {
    hand();
    hear(receive());
    bench.advance(Bench.CALLBACK);
    bench.reportAll(new Report.MissDeadline(id), new Report.Delete(id, "ada"));
    assertThat(bench.report(complete(CALL))).isEqualTo(new Result.Missing());
    assertThat(verdict(CALL)).isEqualTo(Verdict.LATE);
  }

  @Test
  void a_callback_that_says_it_failed_is_applied_and_the_next_attempts_own_is_not_touched() {
    hand();
    hear(receive());
    assertThat(bench.done(fail(CALL)).state()).isEqualTo(State.PENDING);
    assertThat(verdict(CALL)).isEqualTo(Verdict.APPLIED);
    assertThat(bench.job(id).tries().failures()).isEqualTo(1);
  }

  @Test
  void a_callback_of_a_job_that_is_being_canceled_is_applied_as_its_end() {
    hand();
    hear(receive());
    bench.done(new Report.Cancel(id));
    assertThat(bench.done(fail(CALL)).state()).isEqualTo(State.CANCELED);
    assertThat(verdict(CALL)).isEqualTo(Verdict.APPLIED);
  }

  @Test
  void after_some_patience_a_callback_about_nothing_is_unmatched() {
    hear(receive());
    bench.advance(PATIENCE.minusMillis(1));
    assertThat(hear(new Callbacks.GiveUp(CALL, PATIENCE))).isEqualTo(Reception.KEPT);
    assertThat(bench.last().isEmpty()).isTrue();
    bench.advance(Duration.ofMillis(1));
    assertThat(hear(new Callbacks.GiveUp(CALL, PATIENCE))).isEqualTo(Reception.GIVEN_UP);
    assertThat(bench.last().judged())
        .containsExactly(new Changes.Judged(CALL, Verdict.UNMATCHED, null));
    assertThat(hear(new Callbacks.GiveUp(CALL, PATIENCE))).isEqualTo(Reception.KEPT);
    assertThat(bench.report(complete(CALL))).isEqualTo(new Result.Repeated());
  }

  @Test
  void one_that_comes_again_after_it_was_given_up_does_not_wait_again() {
    hear(receive());
    Callbacks.Command giveUp = new Callbacks.GiveUp(CALL, Duration.ZERO);
    assertThat(bench.run(new Callbacks(), List.of(giveUp, receive(), giveUp)))
        .containsExactly(Reception.GIVEN_UP, Reception.REPEATED, Reception.KEPT);
    assertThat(verdict(CALL)).isEqualTo(Verdict.UNMATCHED);
  }

  @Test
  void nobody_gives_up_on_what_was_applied_or_never_came() {
    hand();
    assertThat(hear(new Callbacks.GiveUp(CALL, Duration.ZERO))).isEqualTo(Reception.KEPT);
    hear(receive());
    bench.done(complete(CALL));
    assertThat(hear(new Callbacks.GiveUp(CALL, Duration.ZERO))).isEqualTo(Reception.KEPT);
    assertThat(verdict(CALL)).isEqualTo(Verdict.APPLIED);
  }

  @Test
  void the_same_event_of_two_providers_is_two() {
    hear(receive());
    assertThat(hear(new Callbacks.Receive(new Callback.Id("elsewhere", "evt-1"), "their-1")))
        .isEqualTo(Reception.NEW);
  }

  private void hand() {
    bench.done(new Report.Intend(id, leased.token(), "faraway"));
    bench.done(new Report.Accept(id, leased.token(), "their-1"));
  }

  private Reception hear(Callbacks.Command command) {
    return bench.run(new Callbacks(), List.of(command)).getFirst();
  }

  private static Callbacks.Command receive() {
    return new Callbacks.Receive(CALL, "their-1");
  }

  private Callbacks.Command late() {
    return new Callbacks.JudgeLate(CALL, id, leased.token());
  }

  private Report complete(Callback.Id cause) {
    return new Report.Complete(id, leased.token(), List.of(Bench.output()), Summary.EMPTY, cause);
  }

  private Report fail(Callback.Id cause) {
    return new Report.Fail(
        id, leased.token(), Kind.RETRYABLE, new Failure("busy", "Busy."), null, 0, cause);
  }

  private Verdict verdict(Callback.Id call) {
    return Objects.requireNonNull(bench.tables.inbox.get(call)).verdict();
  }
}
