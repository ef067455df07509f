package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.AuditLine;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody wants to see a job any more. */
class DeletionTest {

  private final Bench bench = Bench.withCredits(100);

  @ParameterizedTest
  @EnumSource(State.class)
  void a_job_is_deleted_when_it_is_over_and_not_before(State state) {
    JobId id = Subject.in(state, bench, new Order()).id();
    Job before = bench.job(id);
    long balance = bench.store.balance(Bench.ADA);
    Result result = bench.report(new Report.Delete(id, "ada"));
    if (state.live()) {
      assertThat(result).isEqualTo(new Result.NotNow(state));
      assertThat(bench.last().isEmpty()).isTrue();
    } else {
      Job deleted = before.with(before.afterEnd().deleted(bench.now()));
      assertThat(result).isEqualTo(new Result.Done(deleted));
      assertThat(bench.job(id)).isEqualTo(deleted);
      assertThat(bench.last().events()).isEmpty();
      assertThat(bench.tables.audits.getLast())
          .isEqualTo(new AuditLine(1, "ada", "job.delete", id.uuid().toString(), Map.of()));
    }
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(balance);
  }

  @Test
  void what_is_deleted_is_missing_for_everybody() {
    Subject subject = Subject.in(State.COMPLETED, bench, new Order());
    JobId id = subject.id();
    bench.done(new Report.Delete(id, "ada"));
    assertThat(
            bench.reportAll(
                new Report.Delete(id, "ada"),
                new Report.Cancel(id),
                new Report.Approve(id, "rita", null, null),
                new Report.MissDeadline(id),
                Bench.complete(id, subject.token())))
        .containsOnly(new Result.Missing());
    assertThat(bench.last().isEmpty()).isTrue();
  }

  @Test
  void a_job_that_ends_in_the_same_batch_can_be_deleted_in_it() {
    Job job = bench.submit(new Order());
    bench.reportAll(new Report.Cancel(job.id()), new Report.Delete(job.id(), "ada"));
    assertThat(bench.job(job.id()).state()).isEqualTo(State.CANCELED);
    assertThat(bench.job(job.id()).afterEnd().deleted()).isTrue();
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }

  @Test
  void the_key_of_a_deleted_job_still_stands_for_it_and_charges_nothing() {
    Job job = bench.submit(new Order().key("k", "f"));
    bench.reportAll(new Report.Cancel(job.id()), new Report.Delete(job.id(), "ada"));
    assertThat(bench.submitAll(new Order().key("k", "f")))
        .containsExactly(new SubmitJob.Result.Replayed(job.id()));
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
  }
}
