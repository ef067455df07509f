package dev.millrace.postgres.jobs;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.command.Report;
import dev.millrace.engine.job.JobId;
import dev.millrace.postgres.PlacedRows;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the reaper is pointed at, to the very moment. */
class OverdueBoundsPgTest {

  private final PlacedRows rows = PlacedRows.none();
  private final OverdueJobs overdue = new OverdueJobs(rows.jdbi());

  private List<UUID> found(int limit) {
    return overdue.find(limit).stream().map(report -> report.job().uuid()).toList();
  }

  @Test
  void what_is_due_is_promoted_and_what_was_due_first_comes_first() {
    rows.dispatch(1, "state", "pending", "due_at", NOW);
    rows.dispatch(2, "state", "pending", "due_at", ago(2));
    rows.dispatch(3, "state", "pending", "due_at", ago(1));
    rows.dispatch(4, "state", "pending", "due_at", in(1));
    rows.dispatch(5);
    assertThat(found(50)).containsExactly(id(2), id(3), id(1));
    assertThat(found(1)).containsExactly(id(2));
  }

  @Test
  void a_lease_is_lost_when_its_own_time_is_over() {
    leased(1, NOW);
    leased(2, in(1));
    leased(3, ago(1));
    rows.job(4, "lease_token", id(104), "lease_expires_at", ago(1));
    rows.dispatch(4);
    rows.job(1, "tenant_id", FOREIGN, "lease_token", id(9), "lease_expires_at", ago(1));
    assertThat(overdue.find(50))
        .containsExactlyInAnyOrder(
            new Report.LoseLease(new JobId(TENANT, id(1)), id(101), false),
            new Report.LoseLease(new JobId(TENANT, id(3)), id(103), false));
    assertThat(overdue.find(1)).hasSize(1);
  }

  private void leased(int number, java.time.Instant until) {
    rows.job(number, "lease_token", id(100 + number), "lease_expires_at", until);
    rows.dispatch(number, "state", "running", "lease_token", id(100 + number), "worker", "a");
  }

  @Test
  void a_worker_that_is_gone_abandoned_what_it_holds() {
    leased(1, in(9));
    rows.dispatch(2, "worker", "a");
    rows.dispatch(3, "worker", "b", "lease_token", id(103));
    assertThat(overdue.abandonedBy("a"))
        .containsExactly(new Report.LoseLease(new JobId(TENANT, id(1)), id(101), true));
  }

  /** A job whose deadline is over; it may not have begun. */
  private void late(int number, String state, int seconds, @Nullable Object... columns) {
    rows.job(number, columns);
    rows.dispatch(number, "state", state, "due_at", in(9), "deadline_at", ago(seconds));
  }

  @Test
  void a_deadline_is_missed_when_it_has_come_and_the_first_comes_first() {
    late(1, "queued", 0);
    late(2, "running", 2);
    late(3, "pending", 1);
    late(4, "queued", -1);
    assertThat(found(50)).containsExactlyInAnyOrder(id(1), id(2), id(3));
    assertThat(found(1)).containsExactly(id(2));
    rows.execute("update dispatch set state = 'submitted' where state = 'pending'");
    assertThat(found(50)).containsExactly(id(2), id(3), id(1));
  }

  @Test
  void while_its_effect_or_workflow_is_paused_a_job_may_wait_but_not_run() {
    late(1, "queued", 1);
    late(2, "pending", 1, "effect_id", 3, "workflow_id", 2);
    late(3, "running", 1);
    late(4, "submitted", 1, "effect_id", 3, "workflow_id", 2);
    late(5, "queued", 1, "effect_id", 5, "workflow_id", 3);
    // The job of the same id is another tenant's, and nothing of its is paused.
    rows.job(1, "tenant_id", FOREIGN, "effect_id", 5, "workflow_id", 3);
    rows.execute("update effect set paused_at = '%s' where id = 1".formatted(ago(9)));
    rows.execute("update workflow set paused_at = '%s' where id = 2".formatted(ago(9)));
    assertThat(overdue.find(50))
        .filteredOn(Report.MissDeadline.class::isInstance)
        .extracting(report -> report.job().uuid())
        .containsExactlyInAnyOrder(id(3), id(4), id(5));
  }

  @Test
  void nothing_is_paused_for_a_job_because_something_is_for_a_namesake_or_neighbour() {
    late(1, "queued", 1, "effect_id", 5, "workflow_id", 3);
    rows.job(1, "tenant_id", FOREIGN);
    rows.job(2);
    rows.execute("update effect set paused_at = '%s' where id = 1".formatted(ago(9)));
    rows.execute("update workflow set paused_at = '%s' where id = 1".formatted(ago(9)));
    assertThat(found(50)).containsExactly(id(1));
  }

  @Test
  void a_job_that_was_resumed_has_its_queue_time_again() {
    for (String table : List.of("effect", "workflow")) {
      rows.execute("delete from job; delete from dispatch");
      rows.execute("update effect set resumed_at = null; update workflow set resumed_at = null");
      late(1, "queued", 1, "queue_seconds", 60);
      rows.execute("update %s set resumed_at = '%s'".formatted(table, ago(59)));
      assertThat(found(50)).isEmpty();
      rows.execute("update %s set resumed_at = '%s'".formatted(table, ago(60)));
      assertThat(found(50)).containsExactly(id(1));
    }
    rows.execute("update effect set resumed_at = '%s'".formatted(ago(99)));
    rows.execute("update workflow set resumed_at = '%s'".formatted(ago(59)));
    assertThat(found(50)).isEmpty();
  }

  private List<UUID> tooSlow(int limit) {
    return overdue
        .tooSlow(new OverdueJobs.Way(1, 2, 1, Duration.ofSeconds(60), 5), "Elsewhere", limit)
        .stream()
        .map(report -> report.job().uuid())
        .toList();
  }

  /** A job that waits for 60 seconds and holds 5 credits. */
  private void slow(int number, @Nullable Object... dispatch) {
    rows.job(number, "attempts", number);
    rows.dispatch(number, dispatch);
  }

  @Test
  void what_waited_long_enough_goes_another_way_in_the_order_of_its_queue() {
    slow(1);
    slow(2);
    slow(3, "priority", 1);
    slow(4, "virtual_start", -1);
    slow(5, "due_at", ago(59));
    slow(6, "state", "pending");
    slow(7, "workflow_id", 2);
    slow(8, "effect_id", 2);
    rows.job(9, "held", 6);
    rows.dispatch(9);
    rows.job(1, "tenant_id", FOREIGN, "attempts", 99);
    assertThat(tooSlow(50)).containsExactly(id(3), id(4), id(1), id(2));
    assertThat(tooSlow(1)).containsExactly(id(3));
    assertThat(
            overdue.tooSlow(
                new OverdueJobs.Way(1, 2, 1, Duration.ofSeconds(60), 5), "Elsewhere", 1))
        .containsExactly(new Report.Reroute(new JobId(TENANT, id(3)), 1, 2, 3, "Elsewhere"));
  }

  @Test
  void what_a_provider_may_have_goes_no_other_way() {
    slow(1);
    slow(2);
    slow(3);
    rows.attempt(1, "provider", "fal");
    rows.attempt(2);
    rows.attempt(3, "provider", "fal", "tenant_id", FOREIGN);
    assertThat(tooSlow(50)).containsExactly(id(2), id(3));
  }

  @Test
  void nothing_goes_another_way_while_its_effect_or_workflow_is_paused() {
    slow(1);
    for (String table : List.of("effect", "workflow")) {
      rows.execute("update %s set paused_at = '%s' where id > 1".formatted(table, NOW));
      assertThat(tooSlow(50)).containsExactly(id(1));
      rows.execute("update %s set paused_at = '%s' where id = 1".formatted(table, NOW));
      assertThat(tooSlow(50)).isEmpty();
      rows.execute("update %s set paused_at = null".formatted(table));
    }
  }
}
