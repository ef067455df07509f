package dev.millrace.engine.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.SubmitJob.Result;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobEvent;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.money.Hold;
import dev.millrace.engine.money.QuotaUse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A gate said no: the job is stored, and over. */
class BlockedTest {

  private final Bench bench = Bench.withCredits(100);

  @Test
  void a_blocked_job_is_over_at_once_without_a_hold() {
    Job job = bench.blocked(new Order().denied("violence"));
    assertThat(job.state()).isEqualTo(State.BLOCKED);
    assertThat(job.hold()).isEqualTo(Hold.NONE);
    assertThat(job.failure()).isEqualTo(new Failure("violence", "Not here."));
    assertThat(job.times().finishedAt()).isEqualTo(bench.now());
    assertThat(job.times().deadlineAt()).isNull();
    assertThat(bench.tables.eventsOf(job.id()))
        .containsExactly(JobEvent.of(job, Trigger.SUBMIT, null));
    assertThat(bench.tables.ledgerOf(job.id())).isEmpty();
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(100);
    assertThat(bench.last().shares()).as("no place in the queue is taken").isEmpty();
    assertThat(bench.leaseAll(new LeaseJobs("w", List.of(1), 1)).getFirst()).isEmpty();
  }

  @Test
  void its_key_stays_free() {
    bench.blocked(new Order().key("k", "f").denied("violence"));
    bench.blocked(new Order().key("k", "f").denied("violence"));
    Job job = bench.submit(new Order().key("k", "f"));
    assertThat(bench.submitAll(new Order().key("k", "f").denied("violence")))
        .as("a request that was accepted before is the same request")
        .containsExactly(new Result.Replayed(job.id()));
  }

  @Test
  void it_counts_against_no_limit_and_no_limit_hides_it() {
    bench.submit(new Order().limits(1, 1));
    bench.blocked(new Order().limits(1, 1).denied("violence"));
    assertThat(bench.tables.wallets.values())
        .extracting(wallet -> wallet.usage().active())
        .containsExactly(1, 0);
    assertThat(bench.tables.wallets.values())
        .extracting(wallet -> wallet.usage().today())
        .containsExactly(1, 0);
  }

  @Test
  void somebody_without_a_credit_is_blocked_and_not_told_about_money() {
    bench.blocked(new Order().cost(1_000).denied("violence"));
    assertThat(bench.tables.wallets.values())
        .allMatch(wallet -> wallet.usage().equals(QuotaUse.NONE));
  }

  @Test
  void beside_others_in_a_batch_it_disturbs_nobody() {
    assertThat(bench.submitAll(new Order(), new Order().denied("violence"), new Order()))
        .hasExactlyElementsOfTypes(
            Result.Accepted.class, Result.Blocked.class, Result.Accepted.class);
    assertThat(bench.store.balance(Bench.ADA)).isEqualTo(80);
  }
}
