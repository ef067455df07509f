package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.SubmitJob.Result;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same request within a sliding window is the same job, without a key. */
class DedupeTest {

  private static final Duration WINDOW = Duration.ofMinutes(5);

  private final Bench bench = Bench.withCredits(100);

  @Test
  void the_same_request_within_the_window_is_the_same_job_and_costs_nothing() {
    Job job = bench.submit(same());
    bench.advance(WINDOW.minusMillis(1));
    assertThat(bench.submitAll(same())).containsExactly(new Result.Replayed(job.id()));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(90);
    assertThat(bench.last().isEmpty()).isTrue();
  }

  @Test
  void the_window_slides_and_is_no_bucket() {
    bench.submit(same());
    bench.advance(WINDOW);
    Job second = bench.submit(same());
    bench.advance(WINDOW.minusSeconds(1));
    assertThat(bench.submitAll(same())).containsExactly(new Result.Replayed(second.id()));
  }

  @Test
  void within_a_batch_too() {
    List<Result> results = bench.submitAll(same(), same(), other());
    Job first = ((Result.Accepted) results.get(0)).job();
    assertThat(results.get(1)).isEqualTo(new Result.Replayed(first.id()));
    assertThat(results.get(2)).isInstanceOf(Result.Accepted.class);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(80);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FAILED", "DEAD_LETTER", "EXPIRED", "CANCELED", "BLOCKED"})
  void what_was_in_vain_does_not_count(State end) {
    Subject.in(end, bench, end == State.BLOCKED ? same().denied("violence") : same());
    bench.submit(same());
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"PENDING", "FAILED", "DEAD_LETTER", "EXPIRED", "CANCELED", "BLOCKED"})
  void what_is_live_done_or_was_rejected_does(State state) {
    Subject subject = Subject.in(state, bench, same());
    assertThat(bench.submitAll(same())).containsExactly(new Result.Replayed(subject.id()));
  }

  @Test
  void what_its_owner_deleted_does_not_count() {
    Subject subject = Subject.in(State.COMPLETED, bench, same());
    bench.done(new Report.Delete(subject.id(), "ada"));
    bench.submit(same());
  }

  @Test
  void another_users_request_is_another_request() {
    bench.submit(same());
    bench.submit(same().by(Bench.BOB));
  }

  @Test
  void an_effect_that_did_not_ask_for_it_gets_a_job_each_time() {
    bench.submit(new Order().key("k1", "f"));
    bench.submit(new Order().key("k2", "f"));
  }

  @Test
  void a_key_speaks_before_the_window_does() {
    Job keyed = bench.submit(same().key("k", "print"));
    assertThat(bench.submitAll(same().key("k", "print"), same().key("k2", "print")))
        .containsExactly(new Result.Replayed(keyed.id()), new Result.Replayed(keyed.id()));
    assertThat(bench.submitAll(other().key("k", "else")))
        .containsExactly(new Result.KeyMismatch(keyed.id()));
  }

  @Test
  void the_newest_of_several_is_the_one() {
    Leased first = bench.running(same());
    bench.done(Bench.complete(first.job().id(), first.token()));
    bench.advance(WINDOW);
    Job second = bench.submit(same());
    assertThat(bench.submitAll(new Order().onceWithin(WINDOW.multipliedBy(9), "print")))
        .containsExactly(new Result.Replayed(second.id()));
  }

  private static Order same() {
    return new Order().onceWithin(WINDOW, "print");
  }

  private static Order other() {
    return new Order().onceWithin(WINDOW, "other");
  }
}
