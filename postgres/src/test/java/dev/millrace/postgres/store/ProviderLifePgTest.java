package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static dev.millrace.postgres.EngineRig.fail;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.engine.Engine;
import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.command.Callbacks.Reception;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Fail.Kind;
import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Callback;
import dev.millrace.engine.port.Store;
import dev.millrace.postgres.EngineRig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work that outside providers have, what they call back, and what becomes of it. */
class ProviderLifePgTest {

  private static final Callback.Id CALL = new Callback.Id("faraway", "evt-1");

  private final EngineRig rig = EngineRig.open();
  private final Meeting meeting = new Meeting(rig);

  @AfterEach
  void the_doctor_finds_nothing() {
    meeting.close();
  }

  @Test
  void a_callback_before_its_reference_waits_and_is_applied_once() throws Exception {
    Leased leased = rig.running();
    assertThat(hear(receive())).isEqualTo(Reception.NEW);
    assertThat(hear(receive())).isEqualTo(Reception.REPEATED);
    hand(leased, "their-1");
    assertThat(rig.report(caused(leased)).state()).isEqualTo(State.COMPLETED);
    assertThat(rig.engine().report(caused(leased))).isEqualTo(new Result.Repeated());
    assertThat(hear(receive())).isEqualTo(Reception.REPEATED);
    assertThat(inbox())
        .isEqualTo("their-1 applied 3 " + rig.acme() + " " + leased.job().id().uuid());
  }

  @Test
  void a_late_callback_names_its_job_and_an_unmatched_one_names_none() throws Exception {
    Leased leased = rig.running();
    hand(leased, "their-1");
    hear(receive());
    rig.report(complete(leased, 5));
    assertThat(rig.engine().report(caused(leased))).isEqualTo(new Result.StaleLease());
    assertThat(inbox()).isEqualTo("their-1 late 1 " + rig.acme() + " " + leased.job().id().uuid());

    rig.place().execute("delete from inbox");
    hear(receive());
    assertThat(hear(new Callbacks.GiveUp(CALL, Duration.ofHours(1)))).isEqualTo(Reception.KEPT);
    rig.place().execute("update inbox set received_at = received_at - interval '1 hour'");
    assertThat(hear(new Callbacks.GiveUp(CALL, Duration.ofHours(1)))).isEqualTo(Reception.GIVEN_UP);
    assertThat(inbox()).isEqualTo("their-1 unmatched 1 - -");
  }

  @Test
  void no_two_attempts_have_one_reference_of_a_provider() throws Exception {
    hand(rig.running(), "their-1");
    Leased second = rig.running();
    rig.report(new Report.Intend(second.job().id(), second.token(), "faraway"));
    assertThatThrownBy(() ->
            rig.engine().report(new Report.Accept(second.job().id(), second.token(), "their-1")))
        .isInstanceOf(Store.RolledBack.class);
    assertThat(rig.state(second.job().id())).isEqualTo(State.RUNNING);
    rig.report(new Report.Accept(second.job().id(), second.token(), "their-2"));
    Leased third = rig.running();
    rig.report(new Report.Intend(third.job().id(), third.token(), "elsewhere"));
    rig.report(new Report.Accept(third.job().id(), third.token(), "their-1"));
  }

  @Test
  void a_reference_that_is_told_again_while_canceling_changes_nothing() throws Exception {
    Leased leased = rig.running();
    JobId id = leased.job().id();
    rig.report(new Report.Intend(id, leased.token(), "faraway"));
    rig.report(new Report.Cancel(id));
    Report accept = new Report.Accept(id, leased.token(), "their-1");
    rig.report(accept);
    rig.report(accept);
    rig.report(new Report.Accept(id, leased.token(), "their-9"));
    assertThat(meeting.ask("select reference from attempt")).isEqualTo("their-1");
  }

  @Test
  void a_reference_that_is_told_again_after_it_was_accepted_and_canceled_changes_nothing()
      throws Exception {
    Leased leased = rig.running();
    hand(leased, "their-1");
    Report accept = new Report.Accept(leased.job().id(), leased.token(), "their-1");
    assertThat(rig.report(accept).state()).isEqualTo(State.SUBMITTED);
    rig.report(new Report.Cancel(leased.job().id()));
    assertThat(rig.report(accept).state()).isEqualTo(State.CANCELING);
    assertThat(meeting.inOneBatch(accept, accept)).hasOnlyElementsOfType(Result.Done.class);
  }

  @Test
  void a_clock_that_goes_back_between_intent_and_acceptance_loses_no_reference() throws Exception {
    HandClock clock = new HandClock(rig.database().store());
    Engine engine = rig.engine(clock);
    Leased leased = rig.running();
    JobId id = leased.job().id();
    clock.shift(Duration.ofSeconds(20));
    assertThat(engine.report(new Report.Intend(id, leased.token(), "faraway")))
        .isInstanceOf(Result.Done.class);
    clock.shift(Duration.ZERO);
    assertThat(engine.report(new Report.Accept(id, leased.token(), "their-1")))
        .isInstanceOf(Result.Done.class);
    assertThat(rig.state(id)).isEqualTo(State.SUBMITTED);
  }

  @Test
  void a_silent_provider_ends_at_the_callbacks_deadline_with_a_refund() throws Exception {
    Leased leased = rig.running();
    hand(leased, "their-1");
    rig.place()
        .execute(
            """
            update job
            set deadline_at = now() - interval '1 second',
                lease_expires_at = now() - interval '1 second'
            where state < 'completed';
            update dispatch set deadline_at = now() - interval '1 second'
            """);
    List<Report> overdue = rig.database().overdueJobs().find(10);
    assertThat(overdue)
        .containsExactly(
            new Report.LoseLease(leased.job().id(), leased.token(), false),
            new Report.MissDeadline(leased.job().id()));
    assertThat(meeting.inOneBatch(overdue.toArray(Report[]::new)))
        .hasOnlyElementsOfType(Result.Done.class);
    assertThat(rig.state(leased.job().id())).isEqualTo(State.EXPIRED);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(5);
  }

  @Test
  void what_ends_and_is_retried_in_one_batch_has_one_dispatch_of_its_new_life() throws Exception {
    Leased leased = rig.running();
    JobId id = leased.job().id();
    assertThat(
            meeting.inOneBatch(
                fail(leased, Kind.PERMANENT),
                new Report.RetryInPlace(id, "root", rig.workflow("sketch"), 1, 1)))
        .hasOnlyElementsOfType(Result.Done.class);
    assertThat(meeting.stored(id).lease()).isNull();
    assertThat(rig.lease().job().tries().attempts()).isEqualTo(2);
  }

  @Test
  void what_is_retried_and_canceled_in_one_batch_has_no_dispatch() throws Exception {
    Leased leased = rig.running();
    JobId id = leased.job().id();
    rig.report(fail(leased, Kind.PERMANENT));
    meeting.inOneBatch(
        new Report.RetryInPlace(id, "root", rig.workflow("sketch"), 1, 1), new Report.Cancel(id));
    assertThat(rig.state(id)).isEqualTo(State.CANCELED);
    assertThat(meeting.ask("select count(*) from dispatch")).isEqualTo("0");
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(5);
  }

  private void hand(Leased leased, String reference) throws InterruptedException {
    rig.report(new Report.Intend(leased.job().id(), leased.token(), "faraway"));
    rig.report(new Report.Accept(leased.job().id(), leased.token(), reference));
  }

  private static Report caused(Leased leased) {
    Report.Complete result = complete(leased, 5);
    return new Report.Complete(
        result.job(), result.token(), result.outputs(), result.summary(), CALL);
  }

  private static Callbacks.Command receive() {
    return new Callbacks.Receive(CALL, "their-1");
  }

  private Reception hear(Callbacks.Command command) {
    return rig.engine().hear(command);
  }

  private String inbox() {
    return meeting.ask(
        """
        select concat_ws(' ', reference, verdict, deliveries, coalesce(tenant_id::text, '-'),
            coalesce(job_id::text, '-'))
        from inbox
        where (verdict = 'waiting') = (judged_at is null)
        """);
  }
}
