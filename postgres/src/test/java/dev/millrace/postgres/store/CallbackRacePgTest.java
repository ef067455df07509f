package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Callbacks;
import dev.millrace.engine.command.Callbacks.Reception;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.Report.Result;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.engine.port.Callback;
import dev.millrace.postgres.EngineRig;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A provider calls two nodes at once, or calls while somebody gives up on it. */
class CallbackRacePgTest {

  private static final Callback.Id CALL = new Callback.Id("faraway", "evt-1");

  /** Somebody who has the same in hand, and gives it up. */
  private static final String STRANGER =
      """
      insert into inbox (provider, event, reference, received_at)
      values ('faraway', 'evt-1', 'their-1', clock_timestamp())
      """;

  private final EngineRig rig = EngineRig.open();
  private final Meeting meeting = new Meeting(rig);
  private Leased leased;

  @BeforeEach
  void hand_a_job_over() throws Exception {
    leased = rig.running();
    rig.report(new Report.Intend(leased.job().id(), leased.token(), "faraway"));
    rig.report(new Report.Accept(leased.job().id(), leased.token(), "their-1"));
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    meeting.close();
  }

  @Test
  void a_callback_that_two_nodes_receive_is_stored_once_and_counted_twice() throws Exception {
    Future<Reception> first;
    Future<Reception> second;
    try (var _ = rig.block(STRANGER)) {
      first = meeting.start(() -> rig.engine().hear(receive()));
      second = meeting.start(() -> meeting.other().hear(receive()));
      rig.awaitLockWaits();
    }
    first.get();
    second.get();
    assertThat(inbox()).isEqualTo("waiting 2");
  }

  @Test
  void a_callback_that_two_nodes_apply_is_applied_once() throws Exception {
    rig.engine().hear(receive());
    Meeting.Told<Result, Result> told = meeting.of(caused(3), caused(4));
    assertThat(told.first()).isInstanceOf(Result.Done.class);
    assertThat(told.second()).isEqualTo(new Result.Repeated());
    assertThat(rig.state(leased.job().id())).isEqualTo(State.COMPLETED);
    assertThat(meeting.ask("select count(*) from file")).isEqualTo("3");
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(2);
    assertThat(inbox()).isEqualTo("applied 1");
  }

  @Test
  void a_callback_that_comes_again_while_it_is_applied_stays_applied() throws Exception {
    rig.engine().hear(receive());
    Meeting.Told<Result, Reception> told =
        meeting.of(
            new ReportBatch(EngineRig.TIMINGS), caused(3), () -> meeting.other().hear(receive()));
    assertThat(told.second()).isEqualTo(Reception.REPEATED);
    assertThat(inbox()).isEqualTo("applied 2");
  }

  @Test
  void nobody_gives_up_on_a_callback_that_was_applied_meanwhile() throws Exception {
    rig.engine().hear(receive());
    Meeting.Told<Result, Reception> told =
        meeting.of(
            new ReportBatch(EngineRig.TIMINGS),
            caused(3),
            () -> meeting.other().hear(new Callbacks.GiveUp(CALL, Duration.ZERO)));
    assertThat(told.second()).isEqualTo(Reception.KEPT);
    assertThat(inbox()).isEqualTo("applied 1");
  }

  @Test
  void a_callback_that_was_given_up_meanwhile_decides_nothing() throws Exception {
    rig.engine().hear(receive());
    Meeting.Told<Reception, Result> told =
        meeting.of(
            new Callbacks(),
            new Callbacks.GiveUp(CALL, Duration.ZERO),
            () -> meeting.other().report(caused(3)));
    assertThat(told.first()).isEqualTo(Reception.GIVEN_UP);
    assertThat(told.second()).isEqualTo(new Result.Repeated());
    assertThat(rig.state(leased.job().id())).isEqualTo(State.SUBMITTED);
    assertThat(inbox()).isEqualTo("unmatched 1");
  }

  @Test
  void a_callback_that_waited_for_the_deadline_is_late() throws Exception {
    rig.engine().hear(receive());
    rig.place()
        .execute(
            """
            update job set deadline_at = now() - interval '1 second' where state < 'completed';
            update dispatch set deadline_at = now() - interval '1 second'
            """);
    Meeting.Told<Result, Result> told =
        meeting.of(new Report.MissDeadline(leased.job().id()), caused(3));
    assertThat(told.second()).isEqualTo(new Result.StaleLease());
    assertThat(inbox()).isEqualTo("late 1");
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(5);
  }

  private static Callbacks.Command receive() {
    return new Callbacks.Receive(CALL, "their-1");
  }

  private Report caused(int outputs) {
    Report.Complete result = complete(leased, outputs);
    return new Report.Complete(
        result.job(), result.token(), result.outputs(), result.summary(), CALL);
  }

  private String inbox() {
    return meeting.ask("select string_agg(verdict || ' ' || deliveries, ', ') from inbox");
  }
}
