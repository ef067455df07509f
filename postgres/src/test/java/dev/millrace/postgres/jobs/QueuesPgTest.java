package dev.millrace.postgres.jobs;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How queues stand, and what one job in them waits for. */
class QueuesPgTest {

  private final PlacedRows rows = PlacedRows.none();
  private final Queues queues = new Queues(rows.jdbi());

  private void running(int number, String worker, @Nullable Object... columns) {
    rows.dispatch(number, columns);
    rows.execute(
        "update dispatch set state = 'running', worker = '%s', lease_token = '%s'"
                .formatted(worker, id(1000 + number))
            + " where job_id = '%s'".formatted(id(number)));
  }

  private void worker(String name, int workflow, @Nullable Object... columns) {
    rows.worker(name, columns);
    rows.row("worker_workflow", "worker_id", name, "workflow_id", workflow);
  }

  private QueueView queue(int workflow) {
    List<QueueView> all = queues.standing();
    assertThat(all).extracting(QueueView::workflow).containsExactly("w1", "w2", "w3");
    return all.get(workflow - 1);
  }

  @Test
  void only_workflows_with_a_queued_job_have_work() {
    rows.dispatch(1, "state", "pending");
    rows.dispatch(2, "workflow_id", 2);
    rows.dispatch(3, "workflow_id", 3, "state", "pending");
    assertThat(queues.withWork(List.of(1, 2))).containsExactly(2);
  }

  @Test
  void who_was_revoked_ten_seconds_ago_was_not_revoked_lately() {
    rows.worker("a", "revoked_at", ago(9));
    rows.worker("b", "revoked_at", ago(10));
    rows.worker("c");
    assertThat(queues.revokedLately()).containsExactly(PlacedRows.uid("a"));
  }

  @Test
  void jobs_are_counted_by_workflow_and_by_what_they_do() {
    rows.dispatch(1, "due_at", ago(7));
    rows.dispatch(2, "due_at", ago(5));
    rows.dispatch(3, "state", "pending", "due_at", ago(99));
    running(4, "a");
    rows.dispatch(5, "state", "waiting_review");
    rows.dispatch(6, "workflow_id", 2);
    assertThat(queue(1).load()).isEqualTo(new QueueView.Load(2, 1, 1, 3));
    assertThat(queue(1).oldestAgeSeconds()).isEqualTo(7.0);
    assertThat(queue(2).load()).isEqualTo(new QueueView.Load(1, 0, 0, 1));
    assertThat(queue(3))
        .isEqualTo(
            new QueueView(
                3,
                "w3",
                false,
                new QueueView.Load(0, 0, 0, 0),
                0,
                0,
                new QueueView.Fleet(0, 0, 0, 0)));
  }

  @Test
  void what_is_paused_is_no_demand_and_what_is_not_due_yet_has_no_age() {
    rows.dispatch(1, "due_at", in(9));
    running(2, "a");
    rows.execute("update workflow set paused_at = '%s' where id = 1".formatted(NOW));
    assertThat(queue(1).load()).isEqualTo(new QueueView.Load(1, 0, 1, 1));
    assertThat(queue(1).paused()).isTrue();
    assertThat(queue(1).oldestAgeSeconds()).isZero();
  }

  @Test
  void workers_are_counted_by_workflow_and_by_what_they_could_do() {
    worker("busy", 1, "max_concurrency", 3);
    running(1, "busy");
    rows.dispatch(2, "worker", "busy");
    worker("Full", 1);
    running(3, "Full");
    running(4, "Full");
    worker("idle", 1, "max_concurrency", 5);
    rows.dispatch(5, "worker", "idle");
    worker("not-ready", 1, "not_ready_reason", "x", "not_ready_since", NOW);
    worker("Xbusy-and-not-ready", 1, "not_ready_reason", "x", "not_ready_since", NOW);
    running(6, "Xbusy-and-not-ready");
    worker("unknown", 1, "approved_at", null);
    worker("draining", 1, "draining_at", NOW);
    worker("revoked", 1, "revoked_at", NOW);
    worker("other", 2, "max_concurrency", 7);
    assertThat(queue(1).fleet()).isEqualTo(new QueueView.Fleet(3, 1, 2, 7));
    assertThat(queue(2).fleet()).isEqualTo(new QueueView.Fleet(0, 1, 0, 7));
  }

  @Test
  void where_no_worker_is_ready_no_slot_is_idle() {
    worker("a", 1, "not_ready_reason", "x", "not_ready_since", NOW);
    assertThat(queue(1).fleet()).isEqualTo(new QueueView.Fleet(0, 0, 1, 0));
  }

  @Test
  void throughput_is_that_of_the_last_five_whole_minutes() {
    long minute = NOW.getEpochSecond() / 60;
    for (int back = 0; back <= 6; back++) {
      rows.row(
          "throughput",
          "workflow_id",
          1,
          "minute",
          minute - back,
          "completed",
          (int) Math.pow(10, back));
    }
    rows.row("throughput", "workflow_id", 2, "minute", minute - 1, "completed", 5);
    assertThat(queue(1).completedPerMinute()).isEqualTo(111_110 / 5.0);
    assertThat(queue(2).completedPerMinute()).isEqualTo(1.0);
  }

  private WaitView wait(@Nullable String provider) {
    return queues.waitOf(TENANT, id(1), provider).orElseThrow();
  }

  private WaitView wait(int number) {
    return queues.waitOf(TENANT, id(number), null).orElseThrow();
  }

  @Test
  void a_jobs_place_is_behind_those_that_will_be_taken_before_it() {
    rows.dispatch(1, "virtual_start", 5);
    rows.dispatch(2, "priority", 1, "virtual_start", 9);
    rows.dispatch(3, "virtual_start", 4, "tenant_id", FOREIGN);
    rows.dispatch(0, "virtual_start", 5);
    rows.dispatch(4, "virtual_start", 6);
    rows.dispatch(5, "virtual_start", 1, "state", "pending");
    rows.dispatch(6, "virtual_start", 1, "workflow_id", 2);
    rows.dispatch(7, "virtual_start", 6);
    rows.dispatch(1, "tenant_id", FOREIGN, "virtual_start", 20, "deadline_at", in(1));
    assertThat(wait(1).place()).isEqualTo(new WaitView.Place(4, 2, 7));
    assertThat(wait(5).place()).isEqualTo(new WaitView.Place(0, 0, 7));
    assertThat(wait(1).deadlineAt()).isEqualTo(in(3600));
    assertThat(queues.waitOf(TENANT, id(99), null)).isEmpty();
  }

  @Test
  void nobody_counts_further_back_than_ten_thousand() {
    rows.dispatch(0, "virtual_start", 1);
    rows.dispatch(1);
    rows.execute(
        """
        insert into dispatch (tenant_id, job_id, workflow_id, effect_id, state, priority,
            virtual_start, due_at, deadline_at)
        select d.tenant_id, gen_random_uuid(), d.workflow_id, d.effect_id, d.state, 1, 0, d.due_at,
            d.deadline_at
        from dispatch d, generate_series(1, 9999)
        where d.virtual_start = 0
        """);
    assertThat(wait(1).place()).isEqualTo(new WaitView.Place(10_000, 9_999, 10_000));
    assertThat(wait(0).place()).isEqualTo(new WaitView.Place(0, 0, 10_000));
  }

  @Test
  void a_job_is_paused_if_its_own_effect_or_workflow_is() {
    rows.dispatch(1, "effect_id", 3, "workflow_id", 2);
    for (String table : List.of("effect", "workflow")) {
      int own = table.equals("effect") ? 3 : 2;
      rows.execute("update %s set paused_at = '%s' where id <> %d".formatted(table, NOW, own));
      assertThat(wait(1).paused()).isFalse();
      rows.execute("update %s set paused_at = '%s' where id = %d".formatted(table, NOW, own));
      assertThat(wait(1).paused()).isTrue();
      rows.execute("update %s set paused_at = null".formatted(table));
    }
  }

  @Test
  void what_runs_counts_for_its_effect_and_its_tenant() {
    rows.dispatch(1);
    rows.dispatch(2);
    running(3, "a");
    running(4, "a", "effect_id", 2);
    running(5, "a", "tenant_id", FOREIGN);
    assertThat(wait(1).limits()).isEqualTo(new WaitView.Limits(0, 2, 2));
    rows.execute("update effect set concurrency = id");
    assertThat(wait(1).limits().effectCap()).isEqualTo(1);
  }

  @Test
  void who_could_run_a_job_is_told_apart() {
    rows.dispatch(1);
    worker("a", 1, "max_concurrency", 2);
    worker("b", 1, "max_concurrency", 3, "providers", "{fal}");
    worker("c", 1, "max_concurrency", 4, "providers", "{replicate}");
    worker("d", 1, "approved_at", null);
    worker("e", 1, "not_ready_reason", "x");
    worker("f", 1, "not_ready_reason", "x", "approved_at", null);
    worker("g", 1, "draining_at", NOW);
    worker("h", 1, "revoked_at", NOW);
    worker("i", 2);
    running(2, "a");
    running(3, "b");
    running(4, "e");
    running(5, "c");
    rows.dispatch(6, "worker", "a");
    assertThat(wait("fal").fleet()).isEqualTo(new WaitView.Fleet(2, 2, 1, 5, 2));
    assertThat(wait((String) null).fleet()).isEqualTo(new WaitView.Fleet(3, 2, 1, 9, 3));
  }

  @Test
  void where_nobody_could_run_it_there_is_no_slot() {
    rows.dispatch(1);
    assertThat(wait(1).fleet()).isEqualTo(new WaitView.Fleet(0, 0, 0, 0, 0));
  }

  @Test
  void a_job_is_unconfirmed_while_nobody_knows_whether_its_present_attempt_was_taken() {
    running(1, "a");
    rows.attempt(2, "unconfirmed_at", NOW, "token", id(1001));
    rows.attempt(1, "tenant_id", FOREIGN, "unconfirmed_at", NOW);
    rows.attempt(1, "number", 2, "token", id(5), "unconfirmed_at", NOW);
    assertThat(wait(1).unconfirmed()).isFalse();
    rows.attempt(1);
    assertThat(wait(1).unconfirmed()).isFalse();
    rows.execute("update attempt set unconfirmed_at = started_at");
    assertThat(wait(1).unconfirmed()).isTrue();
    rows.execute("update attempt set reference = number || token::text");
    assertThat(wait(1).unconfirmed()).isFalse();
  }
}
