package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static dev.millrace.postgres.EngineRig.fail;
import static dev.millrace.postgres.EngineRig.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.job.Failure;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.job.Progress;
import dev.millrace.engine.job.Summary;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.lifecycle.Trigger;
import dev.millrace.postgres.EngineRig;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One job at a time, from submit to each of its ends, read back from the database. */
class JobLifePgTest {

  private final EngineRig rig = EngineRig.open();

  @BeforeEach
  void fill_the_wallet() {
    rig.pay(rig.user("ada"), 100);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_job_is_submitted_leased_reported_and_completed() throws Exception {
    Job submitted = rig.submit(rig.order().input("{\"prompt\": \"m\u00fchle\"}"));
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(95);
    Leased leased = rig.lease();
    assertThat(leased.job().id()).isEqualTo(submitted.id());
    assertThat(leased.input()).isEqualTo("{\"prompt\": \"m\u00fchle\"}");
    rig.report(heartbeat(leased, 40));
    Job done = rig.report(complete(leased, 3));
    assertThat(done.state()).isEqualTo(State.COMPLETED);
    assertThat(done.hold().captured()).isEqualTo(3);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(97);
    assertThat(history(submitted)).containsExactly("queued", "running", "running", "completed");
    assertThat(rig.place().ask("select count(*) from dispatch")).isEqualTo("0");
    assertThat(rig.place().ask("select count(*) from file")).isEqualTo("3");
  }

  @Test
  void what_the_store_reads_back_is_what_the_engine_wrote() throws Exception {
    Leased leased = rig.running();
    TreeMap<String, String> facts = new TreeMap<>();
    facts.put("seed", "7");
    facts.put("tags", "[\"a\",\"b\"]");
    facts.put("note", "\"quote \\\" and {brace}\"");
    Job told =
        rig.report(
            new Report.Heartbeat(
                leased.job().id(),
                leased.token(),
                new Progress(55, "step, with {braces}", "NULL"),
                new Summary(facts)));
    Job read =
        rig.database()
            .store()
            .transact(tx -> Objects.requireNonNull(tx.lockJobs(Set.of(told.id())).get(told.id())));
    assertThat(read).isEqualTo(told);
  }

  @Test
  void a_retryable_failure_waits_is_promoted_and_the_last_one_is_a_dead_letter() throws Exception {
    Job job = rig.submit(rig.order().most(2, 10));
    Report.Fail slow =
        new Report.Fail(
            job.id(),
            rig.lease().token(),
            Kind.RETRYABLE,
            new Failure("busy", "Busy."),
            Duration.ofHours(1),
            0.5);
    assertThat(rig.report(slow).state()).isEqualTo(State.PENDING);
    assertThat(rig.engine().lease(rig.asking("w", 1))).isEmpty();
    assertThat(rig.report(new Report.Promote(job.id(), job.terms().workflowId())).state())
        .isEqualTo(State.PENDING);
    rig.place()
        .execute(
            """
            update job set due_at = now() - interval '1 second';
            update dispatch set due_at = now() - interval '1 second'
            """);
    sweep();
    assertThat(rig.state(job.id())).isEqualTo(State.QUEUED);
    assertThat(rig.report(fail(rig.lease(), Kind.RETRYABLE)).state()).isEqualTo(State.DEAD_LETTER);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(100);
  }

  @Test
  void a_permanent_error_refunds_and_a_safety_filter_does_not() throws Exception {
    rig.submit(rig.order());
    assertThat(rig.report(fail(rig.lease(), Kind.PERMANENT)).state()).isEqualTo(State.FAILED);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(100);
    rig.submit(rig.order());
    assertThat(rig.report(fail(rig.lease(), Kind.SAFETY)).state()).isEqualTo(State.REJECTED);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(95);
    rig.submit(rig.order().refundedWhenUnsafe());
    rig.report(fail(rig.lease(), Kind.SAFETY));
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(95);
  }

  @Test
  void a_requeued_job_keeps_its_place_and_its_money_until_the_cap() throws Exception {
    Job job = rig.submit(rig.order().most(3, 2));
    rig.submit(rig.order());
    Leased first = rig.lease();
    rig.report(new Report.Requeue(job.id(), first.token(), "spot notice"));
    assertThat(rig.state(job.id())).isEqualTo(State.QUEUED);
    Leased again = rig.lease();
    assertThat(again.job().id()).isEqualTo(job.id());
    assertThat(again.job().tries().attempts()).isEqualTo(2);
    assertThat(rig.engine().report(heartbeat(first, 50)))
        .isInstanceOf(Report.Result.StaleLease.class);
    Job dead = rig.report(new Report.Requeue(job.id(), again.token(), "spot notice"));
    assertThat(dead.state()).isEqualTo(State.DEAD_LETTER);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(95);
  }

  @Test
  void a_waiting_job_is_canceled_at_once_and_a_running_one_when_its_worker_says_so()
      throws Exception {
    Job waiting = rig.submit(rig.order());
    assertThat(rig.report(new Report.Cancel(waiting.id())).state()).isEqualTo(State.CANCELED);
    assertThat(rig.engine().report(new Report.Cancel(waiting.id())))
        .isEqualTo(new Report.Result.Denied(State.CANCELED, Trigger.CANCEL));
    rig.submit(rig.order());
    Leased leased = rig.lease();
    assertThat(rig.report(new Report.Cancel(leased.job().id())).state()).isEqualTo(State.CANCELING);
    assertThat(rig.report(heartbeat(leased, 10)).state()).isEqualTo(State.CANCELING);
    rig.report(new Report.AcknowledgeCancel(leased.job().id(), leased.token()));
    assertThat(rig.state(leased.job().id())).isEqualTo(State.CANCELED);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(100);
  }

  @Test
  void a_lost_lease_goes_back_to_the_queue_and_its_holder_is_turned_away() throws Exception {
    rig.submit(rig.order());
    Leased leased = rig.lease();
    rig.place()
        .execute("update job set lease_expires_at = clock_timestamp() - interval '1 second'");
    assertThat(rig.engine().report(complete(leased, 5)))
        .isInstanceOf(Report.Result.StaleLease.class);
    sweep();
    assertThat(rig.state(leased.job().id())).isEqualTo(State.QUEUED);
    assertThat(rig.report(complete(rig.lease(), 5)).state()).isEqualTo(State.COMPLETED);
  }

  @Test
  void a_deadline_ends_what_waits_and_what_runs() throws Exception {
    Job waiting = rig.submit(rig.order().effect("video"));
    rig.submit(rig.order());
    Leased leased = rig.lease();
    rig.place()
        .execute(
            """
            update job set deadline_at = now() - interval '1 second' where state < 'completed';
            update dispatch set deadline_at = now() - interval '1 second'
            """);
    sweep();
    assertThat(rig.state(waiting.id())).isEqualTo(State.EXPIRED);
    assertThat(rig.state(leased.job().id())).isEqualTo(State.EXPIRED);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(100);
    assertThat(rig.engine().report(heartbeat(leased, 10)))
        .isInstanceOf(Report.Result.StaleLease.class);
  }

  @Test
  void a_held_result_waits_for_review_with_its_outputs_and_its_hold() throws Exception {
    rig.submit(rig.order().reviewed());
    Leased leased = rig.lease();
    assertThat(rig.report(complete(leased, 1)).state()).isEqualTo(State.WAITING_REVIEW);
    assertThat(rig.place().ask("select count(*) from file")).isEqualTo("1");
    assertThat(rig.database().wallets().balance(rig.acme(), "ada").reserved()).isEqualTo(5);
    assertThat(rig.report(new Report.Cancel(leased.job().id())).state()).isEqualTo(State.CANCELED);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(100);
  }

  @Test
  void a_free_job_lives_without_a_line_in_the_ledger() throws Exception {
    rig.submit(rig.order().by(rig.user("newcomer")).cost(0));
    rig.report(complete(rig.lease(), 1));
    assertThat(rig.database().wallets().ledger(rig.acme(), "newcomer", null, 10)).isEmpty();
  }

  @Test
  void an_unknown_job_is_missing_even_beside_a_known_one() throws Exception {
    Job job = rig.submit(rig.order());
    var foreign = new JobId(rig.zenith(), job.id().uuid());
    assertThat(rig.engine().report(new Report.Cancel(foreign)))
        .isInstanceOf(Report.Result.Missing.class);
    var unknown = new JobId(rig.acme(), UUID.randomUUID());
    assertThat(rig.engine().report(new Report.Cancel(unknown)))
        .isInstanceOf(Report.Result.Missing.class);
  }

  /** What the reaper does. */
  private void sweep() throws InterruptedException {
    for (Report found : rig.database().overdueJobs().find(100)) {
      rig.report(found);
    }
  }

  private List<String> history(Job job) {
    return rig.database().events().after(rig.acme(), job.id().uuid(), 0, 100).stream()
        .map(event -> event.state().label())
        .toList();
  }
}
