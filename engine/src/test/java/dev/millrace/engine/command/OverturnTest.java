package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.money.LedgerLine;
import dev.millrace.engine.money.LedgerType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A moderator takes a rejection back. */
class OverturnTest {

  private final Bench bench = Bench.withCredits(100);

  @Test
  void what_the_rejection_took_is_given_back_as_an_adjustment() {
    JobId id = Subject.in(State.REJECTED, bench, new Order()).id();
    Job rejected = bench.job(id);
    int events = bench.tables.events.size();
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(90);
    Job job = bench.done(overturn(id));
    assertThat(job).isEqualTo(rejected.with(rejected.afterEnd().overturned(bench.now())));
    assertThat(bench.tables.ledger.getLast())
        .isEqualTo(
            new LedgerLine(
                job.terms().walletId(),
                LedgerType.ADJUSTMENT,
                Order.COST,
                0,
                100,
                null,
                "overturn:" + id.uuid(),
                "Rejection overturned"));
    assertThat(bench.tables.events).as("the history stays as it is").hasSize(events);
  }

  @Test
  void it_is_given_back_once_however_often_it_is_said() {
    JobId id = Subject.in(State.REJECTED, bench, new Order()).id();
    List<Result> results = bench.reportAll(overturn(id), overturn(id));
    assertThat(results).hasOnlyElementsOfType(Result.Done.class);
    assertThat(results.get(1)).isEqualTo(results.get(0));
    bench.done(overturn(id));
    assertThat(bench.last().isEmpty()).isTrue();
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
    assertThat(bench.tables.audits).filteredOn(a -> a.action().equals("job.overturn")).hasSize(1);
  }

  @Test
  void where_nothing_was_taken_nothing_is_given() {
    JobId id = Subject.in(State.REJECTED, bench, new Order().safetyRefund()).id();
    int lines = bench.tables.ledger.size();
    assertThat(bench.done(overturn(id)).afterEnd().overturned()).isTrue();
    assertThat(bench.tables.ledger).hasSize(lines);
  }

  @Test
  void a_reviewers_decline_can_be_overturned_too() {
    JobId id = Subject.in(State.WAITING_REVIEW, bench, new Order().declineConsumes()).id();
    bench.done(new Report.Decline(id, "rita", "Blurred."));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(93);
    bench.done(overturn(id));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @ParameterizedTest
  @EnumSource(value = State.class, names = "REJECTED", mode = EnumSource.Mode.EXCLUDE)
  void only_a_rejection_can_be_overturned(State state) {
    JobId id = Subject.in(state, bench, new Order()).id();
    assertThat(bench.report(overturn(id))).isEqualTo(new Result.NotNow(state));
    assertThat(bench.last().isEmpty()).isTrue();
  }

  @Test
  void a_deleted_rejection_is_missing() {
    JobId id = Subject.in(State.REJECTED, bench, new Order()).id();
    assertThat(bench.reportAll(new Report.Delete(id, "ada"), overturn(id)).getLast())
        .isEqualTo(new Result.Missing());
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(90);
  }

  private static Report overturn(JobId id) {
    return new Report.Overturn(id, "mona", "It was a statue.");
  }
}
