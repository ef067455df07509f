package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.Price;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Where time is what is sold: 2 credits a second, of a hold of 50. */
class MeteringTest {

  private final Bench bench = Bench.withCredits(100);

  @ParameterizedTest
  @CsvSource({
    "PT0S,0",
    "PT0.000001S,2",
    "PT0.999S,2",
    "PT1S,2",
    "PT1.000001S,4",
    "PT10S,20",
    "PT24.5S,50",
    "PT29S,50"
  })
  void each_begun_second_of_the_attempt_is_paid_up_to_the_hold(Duration used, long charge) {
    Leased leased = bench.running(metered());
    bench.advance(used);
    Job job = bench.done(Bench.complete(leased.job().id(), leased.token()));
    assertThat(job.hold().captured()).isEqualTo(charge);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100 - charge);
  }

  @Test
  void a_clock_that_went_back_charges_nothing() {
    Leased leased = bench.running(metered());
    bench.advance(Duration.ofSeconds(-3));
    assertThat(bench.done(Bench.complete(leased.job().id(), leased.token())).delivered()).isZero();
  }

  @Test
  void only_the_attempt_that_delivered_is_paid() {
    Leased first = bench.running(metered());
    JobId id = first.job().id();
    bench.advance(Duration.ofSeconds(20));
    bench.done(new Report.Requeue(id, first.token(), "spot"));
    bench.advance(Duration.ofMinutes(3));
    Leased second = bench.lease();
    bench.advance(Duration.ofSeconds(2));
    assertThat(bench.done(Bench.complete(id, second.token())).hold().captured()).isEqualTo(4);
  }

  @Test
  void who_cancels_pays_for_the_time_that_was_used() {
    Leased leased = bench.running(metered());
    JobId id = leased.job().id();
    bench.advance(Duration.ofSeconds(6));
    bench.done(new Report.Cancel(id));
    bench.advance(Duration.ofSeconds(1));
    Job job = bench.done(new Report.AcknowledgeCancel(id, leased.token()));
    assertThat(job.state()).isEqualTo(State.CANCELED);
    assertThat(job.delivered()).isEqualTo(7);
    assertThat(job.hold().captured()).isEqualTo(14);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(86);
  }

  @Test
  void who_cancels_before_it_began_or_while_it_waits_pays_nothing() {
    Job waiting = bench.submit(metered());
    assertThat(bench.done(new Report.Cancel(waiting.id())).hold().captured()).isZero();
    Leased leased = bench.running(metered());
    bench.advance(Duration.ofSeconds(9));
    bench.done(Bench.fail(leased.job().id(), leased.token(), Kind.RETRYABLE));
    assertThat(bench.done(new Report.Cancel(leased.job().id())).hold().captured()).isZero();
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @ParameterizedTest
  @EnumSource(
      value = Price.Unit.class,
      names = {"OUTPUT", "JOB"})
  void who_cancels_what_is_not_sold_by_the_second_pays_nothing(Price.Unit unit) {
    Leased leased = bench.running(new Order().price(unit, 3));
    bench.advance(Duration.ofSeconds(9));
    bench.done(new Report.Cancel(leased.job().id()));
    bench.done(new Report.AcknowledgeCancel(leased.job().id(), leased.token()));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @Test
  void a_failure_is_free_however_long_it_took() {
    Leased leased = bench.running(metered());
    bench.advance(Duration.ofSeconds(20));
    bench.done(Bench.fail(leased.job().id(), leased.token(), Kind.PERMANENT));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @Test
  void a_retry_in_place_begins_to_count_anew() {
    Leased leased = bench.running(metered().review(true));
    JobId id = leased.job().id();
    bench.advance(Duration.ofSeconds(20));
    bench.done(Bench.complete(id, leased.token()));
    assertThat(bench.job(id).delivered()).isEqualTo(20);
    bench.advance(Bench.REVIEW);
    bench.done(new Report.MissDeadline(id));
    assertThat(bench.done(new Report.RetryInPlace(id, "root", 1, 1, 1)).delivered()).isZero();
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(50);
  }

  private static Order metered() {
    return new Order().cost(50).price(Price.Unit.SECOND, 2);
  }
}
