package dev.millrace.postgres.jobs;

import static dev.millrace.postgres.Mill.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.command.ReportBatch;
import dev.millrace.engine.job.Job;
import dev.millrace.postgres.Mill;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the reaper is pointed at. */
class OverduePgTest {

  private final Mill mill = Mill.open();
  private final Overdue overdue = mill.database().overdue();

  @BeforeEach
  void fill_the_wallet() {
    mill.pay(mill.user("ada"), 1000);
  }

  @AfterEach
  void the_doctor_finds_nothing() {
    mill.close();
  }

  @Test
  void what_is_on_time_is_left_alone() throws Exception {
    mill.submit(mill.order());
    mill.report(heartbeat(mill.lease(), 1));
    mill.submit(mill.order());
    mill.submit(mill.order().runAt(inAnHour()));
    assertThat(overdue.find(100)).isEmpty();
  }

  @Test
  void each_kind_of_lateness_is_found_as_what_it_is() throws Exception {
    Leased lost = mill.running();
    Job due = mill.submit(mill.order().runAt(inAnHour()));
    Job missed = mill.submit(mill.order().effect("video"));
    late("lease_expires_at", lost.job());
    late("due_at", due);
    late("deadline_at", missed);
    assertThat(overdue.find(100))
        .containsExactlyInAnyOrder(
            new Report.LoseLease(lost.job().id(), lost.token(), false),
            new Report.Promote(due.id(), due.facts().workflowId()),
            new Report.MissDeadline(missed.id()));
    mill.report(new Report.MissDeadline(missed.id()));
    late("lease_expires_at", lost.job());
  }

  @Test
  void no_more_than_the_limit_is_found_and_the_latest_comes_first() throws Exception {
    Job first = mill.submit(mill.order());
    Job second = mill.submit(mill.order());
    mill.submit(mill.order());
    late("deadline_at", second);
    late("deadline_at", first);
    mill.place()
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
    Leased leased = mill.running();
    late("lease_expires_at", leased.job());
    Report suspicion = overdue.find(10).getFirst();
    mill.place()
        .execute("update job set lease_expires_at = clock_timestamp() + interval '1 minute'");
    Job alive = mill.report(suspicion);
    assertThat(alive.tries().interruptions()).isZero();
    assertThat(alive.lease()).isNotNull();
  }

  @Test
  void the_leases_of_a_worker_that_is_gone_need_not_run_out() throws Exception {
    Leased leased = mill.running();
    assertThat(overdue.abandonedBy("worker-1"))
        .containsExactly(new Report.LoseLease(leased.job().id(), leased.token(), true));
    assertThat(overdue.abandonedBy("worker-2")).isEmpty();
    Job requeued = mill.report(overdue.abandonedBy("worker-1").getFirst());
    assertThat(requeued.tries().interruptions()).isEqualTo(1);
    assertThat(overdue.abandonedBy("worker-1")).isEmpty();
  }

  @Test
  void a_job_that_waited_too_long_is_sent_elsewhere_unless_it_is_dear_paused_or_handed_over()
      throws Exception {
    Job job = mill.submit(mill.order());
    Overdue.Way way = way(Duration.ZERO, job.hold().amount());
    Report sent = new Report.Reroute(job.id(), way.from(), way.to(), 0, "Elsewhere");
    assertThat(sent(way)).containsExactly(sent);
    assertThat(sent(way(Duration.ofMinutes(1), job.hold().amount()))).isEmpty();
    assertThat(sent(way(Duration.ZERO, job.hold().amount() - 1))).isEmpty();
    mill.place().execute("update effect set paused_at = clock_timestamp()");
    assertThat(sent(way)).isEmpty();
    mill.place().execute("update effect set paused_at = null");

    Leased first = mill.lease();
    assertThat(sent(way)).isEmpty();
    mill.report(new Report.Requeue(job.id(), first.token(), "spot"));
    assertThat(sent(way))
        .containsExactly(new Report.Reroute(job.id(), way.from(), way.to(), 1, "Elsewhere"));
    Leased second = mill.lease();
    mill.report(new Report.Intend(job.id(), second.token(), "faraway"));
    mill.report(new Report.Requeue(job.id(), second.token(), "spot"));
    assertThat(sent(way)).as("a service may have it").isEmpty();
  }

  @Test
  void a_job_that_was_sent_elsewhere_is_leased_there_and_stays_there() throws Exception {
    Job job = mill.submit(mill.order());
    Overdue.Way way = way(Duration.ZERO, Long.MAX_VALUE);
    Job moved = mill.report(sent(way).getFirst());
    assertThat(moved.facts()).isEqualTo(job.facts().in(way.to()));
    assertThat(sent(way)).isEmpty();
    assertThat(mill.engine().lease(new LeaseJobs("a", List.of(way.from()), 1))).isEmpty();
    assertThat(mill.engine().lease(new LeaseJobs("b", List.of(way.to()), 1)))
        .extracting(leased -> leased.job().facts())
        .containsExactly(moved.facts());
  }

  @Test
  void a_job_that_is_sent_elsewhere_and_canceled_at_once_was_sent_elsewhere() throws Exception {
    Job job = mill.submit(mill.order());
    Overdue.Way way = way(Duration.ZERO, Long.MAX_VALUE);
    List<Report> both = List.of(sent(way).getFirst(), new Report.Cancel(job.id()));
    mill.database()
        .store()
        .transact(tx -> {
          var decided = new ReportBatch(Mill.TIMINGS).decide(tx, both);
          tx.write(decided.changes());
          return decided;
        });
    assertThat(mill.place().ask("select state || ' ' || workflow_id from job"))
        .isEqualTo("canceled " + way.to());
  }

  private Overdue.Way way(Duration after, long mostHeld) {
    return new Overdue.Way(
        mill.workflow("sketch"), mill.workflow("video"), mill.effect("sketch"), after, mostHeld);
  }

  private List<Report> sent(Overdue.Way way) {
    return overdue.tooSlow(way, "Elsewhere", 10);
  }

  private Instant inAnHour() {
    return mill.database().store().transact(tx -> tx.now()).plus(Duration.ofHours(1));
  }

  /** Live jobs agree with their dispatch in all but the end of the lease, which only they know. */
  private void late(String column, Job job) {
    String past = "set " + column + " = now() - interval '1 second'";
    String all = "update job %s where id = '%s'".formatted(past, job.id().uuid());
    if (!column.equals("lease_expires_at")) {
      all += "; update dispatch %s where job_id = '%s'".formatted(past, job.id().uuid());
    }
    mill.place().execute(all);
  }
}
