package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.Lease;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.lifecycle.State;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LeaseBatchTest {

  private final Bench bench = Bench.withCredits(1_000);

  @Test
  void a_leased_job_runs_under_a_token_a_lease_and_a_deadline() {
    Job waiting = bench.submit(new Order());
    Leased leased = bench.lease();
    Job job = leased.job();
    assertThat(job.id()).isEqualTo(waiting.id());
    assertThat(job.state()).isEqualTo(State.RUNNING);
    assertThat(job.lease())
        .isEqualTo(new Lease(leased.token(), "w1", bench.now().plus(Bench.LEASE)));
    assertThat(job.times().deadlineAt()).isEqualTo(bench.now().plusSeconds(Order.RUN_SECONDS));
    assertThat(job.times().startedAt()).isEqualTo(bench.now());
    assertThat(job.tries().attempts()).isEqualTo(1);
    assertThat(job.progress()).isEqualTo(new Progress(0, "started", "Attempt 1 started"));
    assertThat(bench.tables.ledgerOf(job.id())).as("leasing moves no money").hasSize(1);
  }

  @Test
  void an_empty_queue_gives_nothing_and_writes_nothing() {
    assertThat(bench.leaseAll(asker("a", 3, 1))).containsExactly(List.of());
    assertThat(bench.last().isEmpty()).isTrue();
  }

  @Test
  void the_workers_of_a_batch_take_turns() {
    submit(5);
    List<List<Leased>> given = bench.leaseAll(asker("a", 10, 1), asker("b", 10, 1));
    assertThat(numbers(given)).containsExactly(List.of(1L, 3L, 5L), List.of(2L, 4L));
  }

  @Test
  void a_worker_gets_no_more_than_it_can_take() {
    submit(5);
    List<List<Leased>> given =
        bench.leaseAll(asker("a", 1, 1), asker("b", 3, 1), asker("c", 0x10, 2));
    assertThat(numbers(given)).containsExactly(List.of(1L), List.of(2L, 3L, 4L), List.of());
    assertThat(bench.lease().job().id().uuid().getLeastSignificantBits()).isEqualTo(5);
  }

  @Test
  void an_enrolled_worker_never_holds_more_than_its_slots() {
    bench.tables.slots.put("a", 2);
    submit(5);
    LeaseJobs greedy = new LeaseJobs("a", List.of(1), 9, true);
    assertThat(numbers(bench.leaseAll(greedy, greedy))).containsExactly(List.of(1L), List.of(2L));
    assertThat(bench.leaseAll(greedy)).containsExactly(List.of());
    assertThat(bench.last().isEmpty()).isTrue();
  }

  @Test
  void an_enrolled_worker_that_may_have_nothing_takes_nothing_from_the_others() {
    submit(2);
    LeaseJobs unknown = new LeaseJobs("nobody", List.of(1), 9, true);
    assertThat(numbers(bench.leaseAll(unknown, asker("b", 9, 1))))
        .containsExactly(List.of(), List.of(1L, 2L));
  }

  @Test
  void a_worker_never_gets_a_workflow_it_does_not_know() {
    for (int workflow : List.of(3, 1, 2, 1, 3, 2, 1)) {
      bench.submit(new Order().workflow(workflow));
    }
    List<LeaseJobs> askers = List.of(asker("a", 9, 1), asker("b", 2, 2, 1), asker("c", 9, 4));
    List<List<Leased>> given = bench.leaseAll(askers.toArray(LeaseJobs[]::new));
    for (int i = 0; i < askers.size(); i++) {
      assertThat(askers.get(i).workflowIds())
          .containsAll(given.get(i).stream().map(l -> l.job().terms().workflowId()).toList());
    }
    assertThat(given.stream().flatMap(List::stream)).hasSize(5);
    assertThat(bench.tables.jobs.values())
        .filteredOn(job -> job.terms().workflowId() == 3)
        .allSatisfy(job -> assertThat(job.state()).isEqualTo(State.QUEUED));
  }

  @Test
  void no_job_is_given_twice_and_each_has_its_own_token() {
    submit(20);
    List<Leased> given =
        Stream.of(
                bench.leaseAll(asker("a", 4, 1), asker("b", 4, 1)),
                bench.leaseAll(asker("a", 9, 1), asker("b", 9, 1)))
            .flatMap(List::stream)
            .flatMap(List::stream)
            .toList();
    assertThat(given).hasSize(20).extracting(leased -> leased.job().id()).doesNotHaveDuplicates();
    assertThat(given).extracting(Leased::token).doesNotHaveDuplicates();
  }

  @Test
  void urgent_jobs_go_first_and_then_it_is_fair_between_tenants() {
    submit(3);
    Job urgent = bench.submit(new Order().priority(5));
    Job bobs = bench.submit(new Order().by(Bench.BOB));
    List<Leased> given = bench.leaseAll(asker("a", 3, 1)).getFirst();
    assertThat(given)
        .extracting(leased -> leased.job().id())
        .startsWith(urgent.id())
        .contains(bobs.id());
  }

  @Test
  void the_queue_advances_to_what_it_served_and_never_goes_back() {
    submit(3);
    bench.leaseAll(asker("a", 2, 1));
    assertThat(bench.last().served()).containsEntry(1, Order.COST);
    Job bobs = bench.submit(new Order().by(Bench.BOB));
    assertThat(bench.tables.made.get(bobs.id()))
        .satisfies(row -> assertThat(row.virtualStart()).isEqualTo(Order.COST));
  }

  @Test
  void another_attempt_starts_without_the_failure_of_the_last() {
    Leased first = bench.running(new Order());
    Job failed =
        bench.done(Bench.fail(first.job().id(), first.token(), Report.Fail.Kind.RETRYABLE));
    assertThat(failed.failure()).isNotNull();
    bench.store.setNow(failed.times().dueAt());
    bench.done(new Report.Promote(failed.id(), 1));
    Leased second = bench.lease();
    assertThat(second.job().failure()).isNull();
    assertThat(second.job().tries().attempts()).isEqualTo(2);
    assertThat(second.token()).isNotEqualTo(first.token());
    assertThat(bench.report(Bench.beat(failed.id(), first.token())))
        .isEqualTo(new Report.Result.StaleLease());
  }

  @Test
  void a_full_tenant_is_passed_over_and_another_gets_the_rest_of_the_room() {
    bench.tables.tenantCap = 2;
    Job first = bench.submit(new Order().by(Bench.BOB).priority(9));
    List<Job> many = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      many.add(bench.submit(new Order().priority(5)));
    }
    Job last = bench.submit(new Order().by(Bench.BOB));
    assertThat(bench.leaseAll(asker("a", 4, 1)).getFirst())
        .extracting(leased -> leased.job().id())
        .containsExactly(first.id(), many.get(0).id(), many.get(1).id(), last.id());
    assertThat(bench.leaseAll(asker("a", 4, 1)).getFirst()).isEmpty();
  }

  @Test
  void asking_for_no_job_is_refused() {
    assertThatThrownBy(() -> asker("a", 0, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  private void submit(int jobs) {
    for (int i = 0; i < jobs; i++) {
      bench.submit(new Order());
    }
  }

  private static LeaseJobs asker(String worker, int max, Integer... workflows) {
    return new LeaseJobs(worker, List.of(workflows), max);
  }

  /** The jobs by the order in which they were submitted, for each asker. */
  private static List<List<Long>> numbers(List<List<Leased>> given) {
    List<List<Long>> numbers = new ArrayList<>();
    for (List<Leased> leased : given) {
      numbers.add(leased.stream().map(l -> l.job().id().uuid().getLeastSignificantBits()).toList());
    }
    return numbers;
  }
}
