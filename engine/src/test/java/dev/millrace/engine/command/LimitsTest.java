package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.SubmitJob.Result;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.QuotaUse;
import dev.millrace.engine.money.Wallet;
import dev.millrace.engine.port.Changes;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How much a user may have going on. */
class LimitsTest {

  private static final Instant MIDNIGHT = Instant.parse("2026-03-02T00:00:00Z");

  private final Bench bench = Bench.withCredits(1000);

  @Test
  void no_more_jobs_are_live_at_once_than_the_limit_also_within_a_batch() {
    List<Result> results =
        bench.submitAll(limited(2, 0), limited(2, 0), limited(2, 0), limited(0, 0));
    assertThat(results.subList(0, 2)).hasOnlyElementsOfType(Result.Accepted.class);
    assertThat(results.get(2)).isEqualTo(new Result.TooManyActive(2));
    assertThat(results.get(3)).as("0 is no limit").isInstanceOf(Result.Accepted.class);
  }

  @Test
  void a_job_that_is_over_makes_room() {
    Job first = bench.submit(limited(1, 0));
    assertThat(bench.submitAll(limited(1, 0))).containsExactly(new Result.TooManyActive(1));
    assertThat(bench.last().isEmpty()).isTrue();
    bench.done(new Report.Cancel(first.id()));
    bench.submit(limited(1, 0));
  }

  @Test
  void each_user_has_a_limit_of_their_own() {
    assertThat(bench.submitAll(limited(1, 1), limited(1, 1).by(Bench.BOB)))
        .hasOnlyElementsOfType(Result.Accepted.class);
  }

  @Test
  void a_day_has_so_many_jobs_however_soon_they_end_and_the_next_has_as_many_again() {
    bench.store.setNow(MIDNIGHT.minusSeconds(60));
    for (int i = 0; i < 2; i++) {
      bench.done(new Report.Cancel(bench.submit(limited(0, 2)).id()));
    }
    assertThat(bench.submitAll(limited(0, 2))).containsExactly(new Result.QuotaUsedUp(2, MIDNIGHT));
    bench.store.setNow(MIDNIGHT.minusMillis(1));
    assertThat(bench.submitAll(limited(0, 2))).containsExactly(new Result.QuotaUsedUp(2, MIDNIGHT));
    bench.store.setNow(MIDNIGHT);
    assertThat(bench.submitAll(limited(0, 2), limited(0, 2), limited(0, 2)))
        .last()
        .isEqualTo(new Result.QuotaUsedUp(2, MIDNIGHT.plusSeconds(86_400)));
  }

  @Test
  void what_an_administrator_set_for_a_user_wins_over_what_is_usual() {
    setForAda(1, null);
    assertThat(bench.submitAll(limited(5, 2), limited(5, 2)))
        .last()
        .isEqualTo(new Result.TooManyActive(1));
    setForAda(0, null);
    assertThat(bench.submitAll(limited(1, 2), limited(1, 2)))
        .hasExactlyElementsOfTypes(Result.Accepted.class, Result.QuotaUsedUp.class);
    setForAda(0, 0);
    bench.submit(limited(1, 1));
  }

  @Test
  void refusals_come_in_their_order_and_a_refused_job_counts_nowhere() {
    bench.submit(limited(0, 0).key("k", "f"));
    assertThat(
            bench.submitAll(
                limited(1, 1).cost(5000).key("k", "f"),
                limited(1, 1).cost(5000).key("k", "g"),
                limited(1, 1).cost(5000),
                limited(9, 1).cost(5000),
                limited(9, 9).cost(5000)))
        .hasExactlyElementsOfTypes(
            Result.Replayed.class,
            Result.KeyMismatch.class,
            Result.TooManyActive.class,
            Result.QuotaUsedUp.class,
            Result.InsufficientCredits.class);
    assertThat(ada().usage())
        .isEqualTo(new QuotaUse(1, ada().usage().day(), 1, QuotaUse.Limits.UNSET));
  }

  @Test
  void a_user_without_room_is_refused_before_credits_are_looked_at() {
    Wallet wallet = ada();
    QuotaUse full = new QuotaUse(0, 0, 0, 100, new QuotaUse.Limits(null, null, 100L));
    bench.tables.wallets.put(wallet.id(), wallet.with(full));

    assertThat(bench.submitAll(limited(0, 0), limited(0, 0).cost(5000)))
        .containsOnly(new Result.StorageFull(100, 100));
    bench.submit(limited(0, 0).by(Bench.BOB));
    assertThat(ada()).isEqualTo(wallet.with(full));
  }

  @Test
  void a_job_that_follows_an_approval_is_not_refused_for_a_limit() {
    Subject subject = Subject.in(State.WAITING_REVIEW, bench, limited(1, 1));
    bench.done(
        new Report.Approve(
            subject.id(),
            "rita",
            null,
            new Report.FollowUp(
                new UUID(3, 3),
                limited(1, 1).make(subject.token()).terms(),
                "f",
                "{}",
                Changes.Labels.NONE)));
    assertThat(ada().usage().active()).isEqualTo(1);
    assertThat(ada().usage().today()).isEqualTo(2);
  }

  private static Order limited(int active, int daily) {
    return new Order().limits(active, daily);
  }

  private Wallet ada() {
    return bench.tables.wallets.values().stream()
        .filter(wallet -> wallet.owner().equals(Bench.ADA))
        .findAny()
        .orElseThrow();
  }

  private void setForAda(@Nullable Integer active, @Nullable Integer daily) {
    Wallet wallet = ada();
    QuotaUse usage = wallet.usage();
    bench.tables.wallets.put(
        wallet.id(),
        wallet.with(
            new QuotaUse(
                usage.active(), usage.day(), usage.today(), new QuotaUse.Limits(active, daily))));
  }
}
