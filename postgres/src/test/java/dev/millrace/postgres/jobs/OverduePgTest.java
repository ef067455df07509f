package dev.millrace.postgres.jobs;

import static dev.millrace.postgres.EngineRig.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.job.Job;
import dev.millrace.postgres.EngineRig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the reaper is pointed at. */
class OverduePgTest {

  private final EngineRig rig = EngineRig.open();
  private final OverdueJobs overdue = rig.database().overdueJobs();

  @BeforeEach
  void fill_the_wallet() {
    rig.pay(rig.user("ada"), 1000);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void what_is_on_time_is_left_alone() throws Exception {
    rig.submit(rig.order());
    rig.report(heartbeat(rig.lease(), 1));
    rig.submit(rig.order());
    rig.submit(rig.order().runAt(inAnHour()));
    assertThat(overdue.find(100)).isEmpty();
  }

  @Test
  void each_kind_of_lateness_is_found_as_what_it_is() throws Exception {
    Leased lost = rig.running();
    Job due = rig.submit(rig.order().runAt(inAnHour()));
    Job missed = rig.submit(rig.order().effect("video"));
    late("lease_expires_at", lost.job());
    late("due_at", due);
    late("deadline_at", missed);
    assertThat(overdue.find(100))
        .containsExactlyInAnyOrder(
            new Report.LoseLease(lost.job().id(), lost.token(), false),
            new Report.Promote(due.id(), due.terms().workflowId()),
            new Report.MissDeadline(missed.id()));
    rig.report(new Report.MissDeadline(missed.id()));
    late("lease_expires_at", lost.job());
  }

  @Test
  void no_more_than_the_limit_is_found_and_the_latest_comes_first() throws Exception {
    Job first = rig.submit(rig.order());
    Job second = rig.submit(rig.order());
    rig.submit(rig.order());
    late("deadline_at", second);
    late("deadline_at", first);
    rig.place()
        .execute(
            """
            update job set deadline_at = deadline_at - interval '9 seconds' where id = '%1$s';
            update dispatch set deadline_at = deadline_at - interval '9 seconds'
            where job_id = '%1$s'
            """
                .formatted(first.id().uuid()));
    assertThat(overdue.find(1)).containsExactly(new Report.MissDeadline(first.id()));
  }

  @Test
  void a_suspicion_that_a_heartbeat_refuted_changes_nothing() throws Exception {
    Leased leased = rig.running();
    late("lease_expires_at", leased.job());
    Report suspicion = overdue.find(10).getFirst();
    rig.place()
        .execute("update job set lease_expires_at = clock_timestamp() + interval '1 minute'");
    Job alive = rig.report(suspicion);
    assertThat(alive.tries().interruptions()).isZero();
    assertThat(alive.lease()).isNotNull();
  }

  @Test
  void the_leases_of_a_worker_that_is_gone_need_not_run_out() throws Exception {
    Leased leased = rig.running();
    assertThat(overdue.abandonedBy("worker-1"))
        .containsExactly(new Report.LoseLease(leased.job().id(), leased.token(), true));
    assertThat(overdue.abandonedBy("worker-2")).isEmpty();
    Job requeued = rig.report(overdue.abandonedBy("worker-1").getFirst());
    assertThat(requeued.tries().interruptions()).isEqualTo(1);
    assertThat(overdue.abandonedBy("worker-1")).isEmpty();
  }

  @Test
  void a_job_that_waited_too_long_is_sent_elsewhere_unless_it_is_dear_paused_or_handed_over()
      throws Exception {
    Job job = rig.submit(rig.order());
    OverdueJobs.Way way = way(Duration.ZERO, job.hold().amount());
    Report sent = new Report.Reroute(job.id(), way.from(), way.to(), 0, "Elsewhere");
    assertThat(sent(way)).containsExactly(sent);
    assertThat(sent(way(Duration.ofMinutes(1), job.hold().amount()))).isEmpty();
    assertThat(sent(way(Duration.ZERO, job.hold().amount() - 1))).isEmpty();
    rig.place().execute("update effect set paused_at = clock_timestamp()");
    assertThat(sent(way)).isEmpty();
    rig.place().execute("update effect set paused_at = null");

    Leased first = rig.lease();
    assertThat(sent(way)).isEmpty();
    rig.report(new Report.Requeue(job.id(), first.token(), "spot"));
    assertThat(sent(way))
        .containsExactly(new Report.Reroute(job.id(), way.from(), way.to(), 1, "Elsewhere"));
    Leased second = rig.lease();
    rig.report(new Report.Intend(job.id(), second.token(), "faraway"));
    rig.report(new Report.Requeue(job.id(), second.token(), "spot"));
    assertThat(sent(way)).as("a service may have it").isEmpty();
  }

  @Test
  void a_job_that_was_sent_elsewhere_is_leased_there_and_stays_there() throws Exception {
    Job job = rig.submit(rig.order());
    OverdueJobs.Way way = way(Duration.ZERO, Long.MAX_VALUE);
    Job moved = rig.report(sent(way).getFirst());
    assertThat(moved.terms()).isEqualTo(job.terms().in(way.to()));
    assertThat(sent(way)).isEmpty();
    assertThat(rig.engine().lease(new LeaseJobs("a", List.of(way.from()), 1))).isEmpty();
    assertThat(rig.engine().lease(new LeaseJobs("b", List.of(way.to()), 1)))
        .extracting(leased -> leased.job().terms())
        .containsExactly(moved.terms());
  }

  @Test
  void a_job_that_is_sent_elsewhere_and_canceled_at_once_was_sent_elsewhere() throws Exception {
    Job job = rig.submit(rig.order());
    OverdueJobs.Way way = way(Duration.ZERO, Long.MAX_VALUE);
    List<Report> both = List.of(sent(way).getFirst(), new Report.Cancel(job.id()));
    rig.database()
        .store()
        .transact(tx -> {
          var decided = new ReportBatch(EngineRig.TIMINGS).decide(tx, both);
          tx.write(decided.changes());
          return decided;
        });
    assertThat(rig.place().ask("select state || ' ' || workflow_id from job"))
        .isEqualTo("canceled " + way.to());
  }

  private OverdueJobs.Way way(Duration after, long mostHeld) {
    return new OverdueJobs.Way(
        rig.workflow("sketch"), rig.workflow("video"), rig.effect("sketch"), after, mostHeld);
  }

  private List<Report> sent(OverdueJobs.Way way) {
    return overdue.tooSlow(way, "Elsewhere", 10);
  }

  private Instant inAnHour() {
    return rig.database().store().transact(tx -> tx.now()).plus(Duration.ofHours(1));
  }

  /** Live jobs agree with their dispatch in all but the end of the lease, which only they know. */
  private void late(String column, Job job) {
    String past = "set " + column + " = now() - interval '1 second'";
    String all = "update job %s where id = '%s'".formatted(past, job.id().uuid());
    if (!column.equals("lease_expires_at")) {
      all += "; update dispatch %s where job_id = '%s'".formatted(past, job.id().uuid());
    }
    rig.place().execute(all);
  }
}
