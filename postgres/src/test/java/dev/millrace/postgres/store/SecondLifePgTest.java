package dev.millrace.postgres.store;

import static dev.millrace.postgres.EngineRig.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.engine.job.JobId;
import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.EngineRig;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A job whose review nobody came to lives again, and is paid for once. */
class SecondLifePgTest {

  private final EngineRig rig = EngineRig.open();
  private final Meeting meeting = new Meeting(rig);

  @AfterEach
  void the_doctor_finds_nothing() {
    meeting.close();
  }

  @Test
  void a_second_review_charges_its_own_funding_and_nothing_of_the_first() throws Exception {
    rig.pay(rig.user("ada"), 20);
    rig.submit(rig.order().reviewed());
    Leased first = rig.lease();
    JobId id = first.job().id();
    rig.report(complete(first, 4));
    HandClock clock = new HandClock(rig.database().store());
    clock.shift(EngineRig.TIMINGS.review().plusMinutes(1));
    assertThat(rig.engine(clock).report(new Report.MissDeadline(id)))
        .isInstanceOf(Report.Result.Done.class);
    assertThat(rig.state(id)).isEqualTo(State.EXPIRED);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(20);

    int workflow = rig.workflow("sketch");
    rig.report(new Report.RetryInPlace(id, "root", workflow, 1, 1));
    Leased second = rig.lease();
    Report.Complete result = complete(second, 3);
    rig.report(result);
    UUID ofTheFirst = firstOutput(id, 1);
    assertThat(rig.engine().report(new Report.Approve(id, "rita", Set.of(ofTheFirst), null)))
        .isInstanceOf(Report.Result.NoSuchItems.class);
    Job approved = rig.report(new Report.Approve(id, "rita", null, null));

    assertThat(approved.hold().fundingSeq()).isEqualTo(2);
    assertThat(approved.hold().captured()).isEqualTo(3);
    assertThat(rig.balance(rig.user("ada"))).isEqualTo(17);
    assertThat(
            meeting.ask(
                "select string_agg(funding_seq || ' ' || type || ' ' || amount || ' ' || captured,"
                    + " ', ' order by id) from ledger where job_id = '%s'".formatted(id.uuid())))
        .isEqualTo(
            "1 job_reserve -5 0, 1 job_refund 5 0, 2 job_reserve -5 0, 2 job_consume 0 3,"
                + " 2 job_refund 2 0");
  }

  private UUID firstOutput(JobId id, int attempt) {
    return UUID.fromString(
        meeting.ask(
            "select min(id::text) from file where job_id = '%s' and attempt = %d"
                .formatted(id.uuid(), attempt)));
  }
}
