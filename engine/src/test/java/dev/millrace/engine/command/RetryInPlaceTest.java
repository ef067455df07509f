package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Attempt;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Tries;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.LedgerType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An administrator lets a job go on that ended badly. */
class RetryInPlaceTest {

  private final Bench bench = Bench.withCredits(100);

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FAILED", "DEAD_LETTER", "EXPIRED"})
  void what_ended_badly_is_queued_again_with_a_new_hold_of_the_same_size(State end) {
    JobId id = Subject.in(end, bench, new Order()).id();
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
    Job job = bench.done(retry(id));
    assertThat(job.state()).isEqualTo(State.QUEUED);
    assertThat(job.hold()).isEqualTo(new Hold(2, Order.COST, true, 0));
    assertThat(job.failure()).isNull();
    assertThat(job.progress()).isEqualTo(new Progress(0, null, "Waiting for a worker"));
    assertThat(job.times().finishedAt()).isNull();
    assertThat(job.times().dueAt()).isEqualTo(bench.now());
    assertThat(job.times().deadlineAt()).isEqualTo(bench.now().plusSeconds(Order.QUEUE_SECONDS));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(90);
    assertThat(bench.tables.ledgerOf(id).getLast())
        .isEqualTo(
            new LedgerLine(
                job.terms().walletId(),
                LedgerType.JOB_RESERVE,
                -Order.COST,
                0,
                90,
                new LedgerLine.Funding(id.uuid(), 2),
                null,
                null));
    assertThat(bench.lease().job().id()).isEqualTo(id);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FAILED", "DEAD_LETTER", "EXPIRED"},
      mode = EnumSource.Mode.EXCLUDE)
  void nothing_else_can_be_retried_in_place(State state) {
    JobId id = Subject.in(state, bench, new Order()).id();
    Job before = bench.job(id);
    long balance = bench.store.balance(Bench.ADA);
    assertThat(bench.report(retry(id))).isEqualTo(new Result.Denied(state, Trigger.RETRY_IN_PLACE));
    assertThat(bench.last().isEmpty()).isTrue();
    assertThat(bench.job(id)).isEqualTo(before);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(balance);
  }

  @Test
  void the_evidence_of_the_first_life_stays_as_it_is() {
    JobId id = Subject.in(State.FAILED, bench, new Order()).id();
    List<JobEvent> history = List.copyOf(bench.tables.eventsOf(id));
    List<Attempt.Ended> ended = List.copyOf(bench.tables.endedOf(id));
    List<LedgerLine> lines = List.copyOf(bench.tables.ledgerOf(id));
    bench.advance(Duration.ofHours(1));
    bench.done(retry(id));
    Leased again = bench.lease();
    assertThat(again.job().tries().attempts()).isEqualTo(2);
    bench.done(Bench.complete(id, again.token()));
    assertThat(bench.tables.eventsOf(id)).startsWith(history.toArray(JobEvent[]::new));
    assertThat(bench.tables.eventsOf(id).subList(history.size(), history.size() + 2))
        .extracting(JobEvent::trigger)
        .containsExactly(Trigger.RETRY_IN_PLACE, Trigger.DUE);
    assertThat(bench.tables.endedOf(id)).startsWith(ended.toArray(Attempt.Ended[]::new));
    assertThat(bench.tables.ledgerOf(id)).startsWith(lines.toArray(LedgerLine[]::new));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(93);
  }

  @Test
  void the_caps_rise_by_what_is_granted_on_top_of_what_was_used() {
    Leased leased = bench.running(new Order().caps(1, 4));
    JobId id = leased.job().id();
    bench.done(new Report.Requeue(id, leased.token(), "spot"));
    bench.done(Bench.fail(id, bench.lease().token(), Kind.RETRYABLE));
    assertThat(bench.job(id).state()).isEqualTo(State.DEAD_LETTER);
    Job job = bench.done(new Report.RetryInPlace(id, "root", 1, 2, 5));
    assertThat(job.tries()).isEqualTo(new Tries(2, 1, 1, 3, 6));

    Job failed = bench.done(Bench.fail(id, bench.lease().token(), Kind.RETRYABLE));
    assertThat(failed.state()).isEqualTo(State.PENDING);
    bench.store.setNow(failed.times().dueAt());
    bench.done(new Report.Promote(id, 1));
    Job dead = bench.done(Bench.fail(id, bench.lease().token(), Kind.RETRYABLE));
    assertThat(dead.state()).isEqualTo(State.DEAD_LETTER);
    assertThat(dead.tries().failures()).isEqualTo(3);
    assertThat(bench.done(retry(id)).hold().fundingSeq()).isEqualTo(3);
  }

  @Test
  void a_life_that_ends_again_settles_only_its_own_hold() {
    JobId id = Subject.in(State.FAILED, bench, new Order()).id();
    bench.done(retry(id));
    bench.advance(Duration.ofSeconds(Order.QUEUE_SECONDS));
    bench.done(new Report.MissDeadline(id));
    assertThat(bench.tables.ledgerOf(id))
        .extracting(line -> line.type().label() + " " + line.fundingSeq())
        .containsExactly("job_reserve 1", "job_refund 1", "job_reserve 2", "job_refund 2");
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @Test
  void of_two_retries_in_one_batch_one_counts_and_holds_once() {
    JobId id = Subject.in(State.EXPIRED, bench, new Order()).id();
    List<Result> results = bench.reportAll(retry(id), retry(id));
    assertThat(results.get(0)).isInstanceOf(Result.Done.class);
    assertThat(results.get(1)).isEqualTo(new Result.Denied(State.QUEUED, Trigger.RETRY_IN_PLACE));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(90);
    assertThat(bench.last().audits()).hasSize(1);
    assertThat(bench.tables.wallets.values()).extracting(w -> w.usage().active()).contains(1);
  }

  @Test
  void a_wallet_that_does_not_cover_it_refuses_and_nothing_changes() {
    JobId id = Subject.in(State.FAILED, bench, new Order()).id();
    bench.submit(new Order().cost(91));
    Job before = bench.job(id);
    assertThat(bench.report(retry(id))).isEqualTo(new Result.InsufficientCredits(Order.COST, 9));
    assertThat(bench.last().isEmpty()).isTrue();
    assertThat(bench.job(id)).isEqualTo(before);
  }

  @Test
  void of_two_jobs_retried_in_one_batch_the_wallet_pays_for_one() {
    JobId first = Subject.in(State.FAILED, bench, new Order()).id();
    JobId second = Subject.in(State.FAILED, bench, new Order()).id();
    bench.submit(new Order().cost(85).workflow(2));
    List<Result> results = bench.reportAll(retry(first), retry(second));
    assertThat(results.get(0)).isInstanceOf(Result.Done.class);
    assertThat(results.get(1)).isEqualTo(new Result.InsufficientCredits(Order.COST, 5));
  }

  @Test
  void a_deleted_job_is_missing() {
    JobId id = Subject.in(State.FAILED, bench, new Order()).id();
    bench.done(new Report.Delete(id, "ada"));
    assertThat(bench.report(retry(id))).isEqualTo(new Result.Missing());
  }

  @Test
  void a_workflow_that_is_not_the_jobs_is_refused_because_its_queue_is_not_the_one_locked() {
    JobId id = Subject.in(State.FAILED, bench, new Order()).id();
    assertThat(bench.report(new Report.RetryInPlace(id, "root", 2, 3, 3)))
        .isEqualTo(new Result.Denied(State.FAILED, Trigger.RETRY_IN_PLACE));
    assertThat(bench.last().isEmpty()).isTrue();
  }

  @Test
  void a_cancel_after_it_in_the_same_batch_gives_the_new_hold_back() {
    JobId id = Subject.in(State.FAILED, bench, new Order()).id();
    List<Result> results = bench.reportAll(retry(id), new Report.Cancel(id));
    assertThat(results).hasOnlyElementsOfType(Result.Done.class);
    assertThat(bench.job(id).state()).isEqualTo(State.CANCELED);
    assertThat(bench.job(id).hold()).isEqualTo(new Hold(2, Order.COST, false, 0));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
    assertThat(bench.leaseAll(new LeaseJobs("w", List.of(1), 1)).getFirst()).isEmpty();
  }

  @Test
  void it_takes_a_new_place_behind_what_its_tenant_asked_for_since() {
    JobId id = Subject.in(State.FAILED, bench, new Order()).id();
    Job since = bench.submit(new Order());
    bench.done(retry(id));
    assertThat(Objects.requireNonNull(bench.tables.places.get(id)))
        .isEqualTo(Objects.requireNonNull(bench.tables.places.get(since.id())) + Order.COST);
    assertThat(bench.lease().job().id()).isEqualTo(since.id());
  }

  @Test
  void a_free_job_is_retried_without_a_line() {
    JobId id = Subject.in(State.FAILED, bench, new Order().cost(0)).id();
    assertThat(bench.done(retry(id)).hold()).isEqualTo(new Hold(2, 0, true, 0));
    assertThat(bench.tables.ledgerOf(id)).isEmpty();
  }

  @Test
  void a_retry_counts_among_the_live_jobs_and_not_among_the_days() {
    JobId id = Subject.in(State.FAILED, bench, new Order()).id();
    bench.done(retry(id));
    var usage = bench.tables.wallets.get(bench.job(id).terms().walletId());
    assertThat(Objects.requireNonNull(usage).usage().active()).isEqualTo(1);
    assertThat(usage.usage().today()).isEqualTo(1);
  }

  @Test
  void the_last_lives_worker_is_turned_away() {
    Subject subject = Subject.in(State.FAILED, bench, new Order());
    bench.done(retry(subject.id()));
    bench.lease();
    assertThat(bench.report(Bench.complete(subject.id(), subject.token())))
        .isEqualTo(new Result.StaleLease());
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,0", "-1,5"})
  void a_retry_without_a_try_makes_no_sense(int failures, int interruptions) {
    JobId id = bench.submit(new Order()).id();
    assertThatThrownBy(() -> new Report.RetryInPlace(id, "root", 1, failures, interruptions))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Report retry(JobId id) {
    return new Report.RetryInPlace(id, "root", 1, 3, 10);
  }
}
