package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static dev.millrace.postgres.EngineRig.fail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.command.SubmitJob;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.engine.port.Changes;
import dev.millrace.postgres.EngineRig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two people decide about one job at the same moment, each on a node of their own. */
class DecisionRacePgTest {

  private final EngineRig rig = EngineRig.open();
  private final Meeting meeting = new Meeting(rig);

  @BeforeEach
  void fill_the_wallet() {
    rig.pay(rig.user("ada"), 100);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    meeting.close();
  }

  @Test
  void of_two_retries_in_place_one_counts_and_holds_once() throws Exception {
    JobId id = failed();
    Meeting.Told<Result, Result> told = meeting.of(retry(id), retry(id));
    assertThat(told.first()).isInstanceOf(Result.Done.class);
    assertThat(told.second()).isEqualTo(new Result.Denied(State.QUEUED, Trigger.RETRY_IN_PLACE));
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(95);
    assertThat(meeting.ask("select count(*) from ledger where funding_seq = 2")).isEqualTo("1");
    assertThat(meeting.ask("select count(*) from dispatch")).isEqualTo("1");
  }

  @Test
  void a_deletion_that_waited_for_a_retry_is_too_early() throws Exception {
    JobId id = failed();
    Meeting.Told<Result, Result> told = meeting.of(retry(id), new Report.Delete(id, "ada"));
    assertThat(told.second()).isEqualTo(new Result.NotNow(State.QUEUED));
    assertThat(rig.lease().job().id()).isEqualTo(id);
  }

  @Test
  void a_retry_that_waited_for_the_deletion_finds_no_job_and_takes_no_credit() throws Exception {
    JobId id = failed();
    Meeting.Told<Result, Result> told = meeting.of(new Report.Delete(id, "ada"), retry(id));
    assertThat(told.second()).isEqualTo(new Result.Missing());
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(100);
    assertThat(meeting.ask("select count(*) from dispatch")).isEqualTo("0");
  }

  @Test
  void of_two_approvals_one_counts_and_one_job_follows() throws Exception {
    JobId id = reviewed();
    Meeting.Told<Result, Result> told = meeting.of(approve(id), approve(id));
    assertThat(told.first()).isInstanceOf(Result.Done.class);
    assertThat(told.second()).isEqualTo(new Result.Denied(State.COMPLETED, Trigger.APPROVE));
    assertThat(meeting.ask("select count(*) from job where follows = '" + id.uuid() + "'"))
        .isEqualTo("1");
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(93);
  }

  @Test
  void a_decline_that_waited_for_an_approval_is_denied() throws Exception {
    JobId id = reviewed();
    Meeting.Told<Result, Result> told =
        meeting.of(approve(id), new Report.Decline(id, "otto", "Blurred."));
    assertThat(told.second()).isEqualTo(new Result.Denied(State.COMPLETED, Trigger.DECLINE));
    assertThat(audits()).isEqualTo("job.approve");
  }

  @Test
  void an_approval_that_waited_for_a_decline_is_denied_and_nothing_follows() throws Exception {
    JobId id = reviewed();
    Meeting.Told<Result, Result> told =
        meeting.of(new Report.Decline(id, "otto", "Blurred."), approve(id));
    assertThat(told.second()).isEqualTo(new Result.Denied(State.REJECTED, Trigger.APPROVE));
    assertThat(meeting.ask("select count(*) from job")).isEqualTo("1");
    assertThat(audits()).isEqualTo("job.decline");
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(100);
  }

  @Test
  void fifty_that_overturn_one_rejection_give_its_credits_back_once() throws Exception {
    rig.submit(rig.order());
    JobId id = rig.report(fail(rig.lease(), Kind.SAFETY)).id();
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(95);
    List<Future<Result>> waiting = new ArrayList<>();
    try (var _ = rig.block("select 1 from wallet for update")) {
      for (int i = 0; i < 50; i++) {
        Engine node = i % 2 == 0 ? rig.engine() : meeting.other();
        waiting.add(meeting.start(() -> node.report(new Report.Overturn(id, "mona", "Art."))));
      }
      rig.awaitLockWaits();
    }
    for (Future<Result> result : waiting) {
      assertThat(result.get()).isInstanceOf(Result.Done.class);
    }
    assertThat(
            meeting.ask(
                "select count(*) || ' ' || sum(amount) from ledger where key is not null"
                    + " and type = 'adjustment'"))
        .isEqualTo("1 5");
    assertThat(audits()).isEqualTo("SAFE_BLOCK job.overturn");
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(100);
  }

  private JobId failed() throws InterruptedException {
    rig.submit(rig.order());
    return rig.report(fail(rig.lease(), Kind.PERMANENT)).id();
  }

  private JobId reviewed() throws InterruptedException {
    rig.submit(rig.order().reviewed());
    Leased leased = rig.lease();
    Job job = rig.report(complete(leased, 4));
    assertThat(job.state()).isEqualTo(State.WAITING_REVIEW);
    return job.id();
  }

  private Report retry(JobId id) {
    return new Report.RetryInPlace(id, "root", rig.workflow("sketch"), 1, 1);
  }

  /** Lets all four outputs through, at a credit each, and follows up for three. */
  private Report approve(JobId id) {
    SubmitJob next = rig.order().cost(3).build();
    return new Report.Approve(
        id,
        "rita",
        null,
        new Report.FollowUp(next.id(), next.terms(), "f", "{}", Changes.Labels.NONE));
  }

  private String audits() {
    return meeting.ask("select string_agg(action, ' ' order by id) from audit");
  }
}
