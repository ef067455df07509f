package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.command.SubmitJob.Result;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.job.JobTerms;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubmitBatchTest {

  private final Bench bench = Bench.withCredits(100);

  @Test
  void an_accepted_job_is_queued_paid_and_has_its_first_event() {
    Job job = bench.submit(new Order());
    assertThat(job.state()).isEqualTo(State.QUEUED);
    assertThat(job.hold()).isEqualTo(new Hold(1, Order.COST, true, 0));
    assertThat(job.times().deadlineAt()).isEqualTo(bench.now().plusSeconds(Order.QUEUE_SECONDS));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(90);
    assertThat(bench.tables.eventsOf(job.id()))
        .containsExactly(JobEvent.of(job, Trigger.SUBMIT, null));
  }

  @Test
  void the_same_key_and_request_is_the_same_job_and_costs_nothing() {
    Job job = bench.submit(new Order().key("k", "same"));
    assertThat(bench.submitAll(new Order().key("k", "same")))
        .containsExactly(new Result.Replayed(job.id()));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(90);
    assertThat(bench.tables.jobs).hasSize(1);
  }

  @Test
  void the_same_key_for_another_request_is_a_mismatch() {
    Job job = bench.submit(new Order().key("k", "one"));
    assertThat(bench.submitAll(new Order().key("k", "two")))
        .containsExactly(new Result.KeyMismatch(job.id()));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(90);
  }

  @Test
  void a_key_counts_within_its_own_batch_too() {
    List<Result> results =
        bench.submitAll(
            new Order().key("k", "one"),
            new Order().key("k", "one"),
            new Order().key("k", "two"),
            new Order());
    Job first = ((Result.Accepted) results.get(0)).job();
    assertThat(results.get(1)).isEqualTo(new Result.Replayed(first.id()));
    assertThat(results.get(2)).isEqualTo(new Result.KeyMismatch(first.id()));
    assertThat(results.get(3)).isInstanceOf(Result.Accepted.class);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(80);
  }

  @Test
  void a_key_belongs_to_its_user() {
    Wallet.Owner sameTenant = new Wallet.Owner(Bench.ADA.tenant(), "eve");
    bench.topUp(new TopUp(sameTenant, 100, "start", null));
    assertThat(
            bench.submitAll(
                new Order().key("k", "one"),
                new Order().by(Bench.BOB).key("k", "two"),
                new Order().by(sameTenant).key("k", "three")))
        .hasOnlyElementsOfType(Result.Accepted.class);
  }

  @Test
  void a_key_is_answered_before_the_money_is_counted() {
    Job job = bench.submit(new Order().cost(100).key("k", "one"));
    assertThat(bench.submitAll(new Order().cost(100).key("k", "one"), new Order().key("k", "two")))
        .containsExactly(new Result.Replayed(job.id()), new Result.KeyMismatch(job.id()));
  }

  @Test
  void a_refusal_for_lack_of_credits_leaves_the_key_free_and_writes_nothing() {
    assertThat(bench.submitAll(new Order().cost(101).key("k", "one")))
        .containsExactly(new Result.InsufficientCredits(101, 100));
    assertThat(bench.last().isEmpty()).isTrue();
    assertThat(bench.last().shares()).isEmpty();
    assertThat(bench.submitAll(new Order().cost(100).key("k", "two")))
        .hasOnlyElementsOfType(Result.Accepted.class);
  }

  @Test
  void a_batch_can_drain_a_wallet_exactly_and_not_further() {
    List<Result> results =
        bench.submitAll(
            new Order().cost(60),
            new Order().cost(41),
            new Order().cost(40),
            new Order().cost(1),
            new Order().cost(0));
    assertThat(results.get(0)).isInstanceOf(Result.Accepted.class);
    assertThat(results.get(1)).isEqualTo(new Result.InsufficientCredits(41, 40));
    assertThat(results.get(2)).isInstanceOf(Result.Accepted.class);
    assertThat(results.get(3)).isEqualTo(new Result.InsufficientCredits(1, 0));
    assertThat(results.get(4)).isInstanceOf(Result.Accepted.class);
    assertThat(bench.store.balance(Bench.ADA)).isZero();
    assertThat(bench.store.balance(Bench.BOB)).isEqualTo(100);
  }

  @Test
  void a_job_for_later_is_pending_and_its_patience_starts_when_it_is_due() {
    Job job = bench.submit(new Order().runAt(bench.now().plusSeconds(60)));
    assertThat(job.state()).isEqualTo(State.PENDING);
    assertThat(job.times().dueAt()).isEqualTo(bench.now().plusSeconds(60));
    assertThat(job.times().deadlineAt())
        .isEqualTo(bench.now().plusSeconds(60 + Order.QUEUE_SECONDS));
    assertThat(bench.leaseAll(new LeaseJobs("w", List.of(1), 1)).getFirst()).isEmpty();
  }

  @Test
  void a_time_that_has_come_or_passed_means_at_once() {
    Job now = bench.submit(new Order().runAt(bench.now()));
    Job past = bench.submit(new Order().runAt(bench.now().minus(Duration.ofDays(400))));
    assertThat(List.of(now, past))
        .allSatisfy(job -> {
          assertThat(job.state()).isEqualTo(State.QUEUED);
          assertThat(job.times().dueAt()).isEqualTo(bench.now());
        });
  }

  @Test
  void the_jobs_of_a_tenant_line_up_behind_each_other_also_within_a_batch() {
    bench.submitAll(new Order().cost(5), new Order().cost(0), new Order().by(Bench.BOB));
    bench.submitAll(new Order().cost(1), new Order().workflow(2));
    assertThat(bench.tables.made.values())
        .extracting(Changes.NewJob::virtualStart)
        .containsExactly(0L, 5L, 6L, 0L, 0L);
  }

  @ParameterizedTest
  @CsvSource({"-1,3,10,60,60", "1,0,10,60,60", "1,3,0,60,60", "1,3,10,0,60", "1,3,10,60,0"})
  void terms_that_no_job_could_live_by_are_refused(
      long cost, int failures, int interruptions, int run, int queue) {
    assertThatThrownBy(() ->
            new SubmitJob.Terms(
                1, 1, cost, failures, interruptions, run, queue, JobTerms.Rules.USUAL))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_job_says_what_it_waits_for() {
    assertThat(bench.submit(new Order()).progress().message()).isEqualTo("Waiting for a worker");
    assertThat(bench.submit(new Order().runAt(bench.now().plusSeconds(1))).progress().message())
        .isEqualTo("Scheduled");
  }

  @Test
  void a_second_is_enough_to_wait_and_to_run() {
    SubmitJob.Terms terms =
        new SubmitJob.Terms(1, 1, 0, 1, 1, 1, 1, dev.millrace.engine.job.JobTerms.Rules.USUAL);
    assertThat(terms.runSeconds() + terms.queueSeconds()).isEqualTo(2);
  }
}
