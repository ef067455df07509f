package dev.millrace.postgres.catalogue;

import static dev.millrace.postgres.EngineRig.complete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.LeaseJobs;
import dev.millrace.engine.command.LeaseJobs.Leased;
import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.Job;
import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.jobs.OverdueJobs;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paused: jobs are taken in and wait, and nobody blames them for waiting. */
class PausePgTest {

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

  @ParameterizedTest
  @ValueSource(strings = {"workflow", "effect"})
  void what_is_paused_is_taken_in_and_not_given_out_and_what_is_not_goes_on(String table)
      throws Exception {
    pause(table);
    Job paused = rig.submit(rig.order());
    Job other = rig.submit(rig.order().effect("video"));
    assertThat(both()).extracting(leased -> leased.job().id()).containsExactly(other.id());
    resume(table);
    assertThat(both()).extracting(leased -> leased.job().id()).containsExactly(paused.id());
  }

  @Test
  void a_paused_effect_does_not_stand_in_the_way_of_others_of_its_workflow() throws Exception {
    rig.place()
        .execute(
            """
            insert into effect (slug, workflow_id, credits_cost)
            select 'sketch/other', id, 5 from workflow where slug = 'sketch'
            """);
    Job first = rig.submit(rig.order());
    Job second = rig.submit(rig.order());
    rig.place()
        .execute(
            """
            update job
            set effect_id = (select id from effect where slug = 'sketch/other')
            where id = '%1$s';
            update dispatch
            set effect_id = (select id from effect where slug = 'sketch/other')
            where job_id = '%1$s'
            """
                .formatted(second.id().uuid()));
    pause("effect");
    assertThat(rig.lease().job().id()).isEqualTo(second.id());
    assertThat(rig.engine().lease(rig.asking("w", 5))).isEmpty();
    resume("effect");
    assertThat(rig.lease().job().id()).isEqualTo(first.id());
  }

  @ParameterizedTest
  @ValueSource(strings = {"workflow", "effect"})
  void a_job_that_waits_while_paused_misses_no_deadline_and_has_all_its_time_again_after(
      String table) throws Exception {
    Job job = rig.submit(rig.order());
    Job other = rig.submit(rig.order().effect("video"));
    pause(table);
    late();
    assertThat(overdue.find(10)).containsExactly(new Report.MissDeadline(other.id()));
    rig.report(new Report.MissDeadline(other.id()));
    rig.assertHealthy();
    resume(table);
    assertThat(overdue.find(10)).isEmpty();
    rig.assertHealthy();
    rig.place()
        .execute(
            "update %s set resumed_at = resumed_at - interval '3601 seconds'".formatted(table));
    assertThat(overdue.find(10)).containsExactly(new Report.MissDeadline(job.id()));
    rig.report(new Report.MissDeadline(job.id()));
  }

  @Test
  void what_runs_while_paused_has_its_deadlines_as_ever() throws Exception {
    Leased leased = rig.running();
    pause("workflow");
    late();
    assertThat(overdue.find(10)).containsExactly(new Report.MissDeadline(leased.job().id()));
    rig.report(complete(leased, 5));
  }

  @Test
  void a_pending_job_that_is_due_is_queued_even_while_paused() throws Exception {
    Job job =
        rig.submit(
            rig.order().runAt(rig.database().store().transact(tx -> tx.now()).plusSeconds(3600)));
    pause("workflow");
    rig.place()
        .execute(
            """
            update job set due_at = now() - interval '1 second';
            update dispatch set due_at = now() - interval '1 second'
            """);
    assertThat(overdue.find(10))
        .containsExactly(new Report.Promote(job.id(), job.terms().workflowId()));
    rig.report(new Report.Promote(job.id(), job.terms().workflowId()));
    assertThat(rig.engine().lease(rig.asking("w", 1))).isEmpty();
  }

  @Test
  void a_retry_in_place_of_a_paused_job_waits_too() throws Exception {
    Job job = rig.submit(rig.order());
    late();
    rig.report(new Report.MissDeadline(job.id()));
    pause("workflow");
    rig.report(new Report.RetryInPlace(job.id(), "root", rig.workflow("sketch"), 1, 1));
    assertThat(rig.engine().lease(rig.asking("w", 1))).isEmpty();
  }

  private List<Leased> both() throws InterruptedException {
    return rig.engine()
        .lease(new LeaseJobs("w", List.of(rig.workflow("sketch"), rig.workflow("video")), 10));
  }

  private void pause(String table) {
    set(table, "paused_at = clock_timestamp()");
  }

  private void resume(String table) {
    set(table, "paused_at = null, resumed_at = clock_timestamp()");
  }

  private void set(String table, String change) {
    rig.place().execute("update %s set %s where slug = 'sketch'".formatted(table, change));
  }

  private void late() {
    rig.place()
        .execute(
            """
            update job set deadline_at = now() - interval '2 minutes' where state < 'completed';
            update dispatch set deadline_at = now() - interval '2 minutes'
            """);
  }
}
