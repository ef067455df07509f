package dev.millrace.postgres.jobs;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is written about one task touches no other, and its times are the clock's. */
class TaskClaimsPgTest {

  private static final Instant CLAIM_END = NOW.plusSeconds(30);

  private final PlacedRows rows = PlacedRows.none();
  private final Tasks tasks = new Tasks(rows.jdbi());

  private void task(int number, @Nullable Instant claimedUntil, @Nullable Object... more) {
    Object[] usual = {
      "tenant_id",
      TENANT,
      "id",
      id(number),
      "action",
      "cancel",
      "filter",
      "{}",
      "state",
      "running",
      "actor",
      "key:ops",
      "newest",
      id(99),
      "created_at",
      ago(100 - number),
      "claimed_until",
      claimedUntil
    };
    Object[] all = new Object[usual.length + more.length];
    System.arraycopy(usual, 0, all, 0, usual.length);
    System.arraycopy(more, 0, all, usual.length, more.length);
    rows.row("task", all);
  }

  private TaskView view(int number) {
    return tasks.find(TENANT, id(number)).orElseThrow();
  }

  private UUID claimed() {
    return tasks.claim().orElseThrow().id();
  }

  @Test
  void those_that_nobody_ever_had_come_first_and_then_those_whose_claim_ended_first() {
    task(1, ago(1));
    task(2, NOW);
    task(3, ago(2));
    task(4, in(1));
    task(5, null, "state", "done", "finished_at", ago(1));
    task(6, null);
    task(7, null);
    assertThat(List.of(claimed(), claimed(), claimed(), claimed(), claimed()))
        .containsExactly(id(6), id(7), id(3), id(1), id(2));
    assertThat(tasks.claim()).isEmpty();
    assertThat(view(6).claimedUntil()).isEqualTo(CLAIM_END);
    assertThat(view(4).claimedUntil()).isEqualTo(in(1));
  }

  @Test
  void a_task_that_somebody_is_about_to_claim_is_left_to_them() throws Exception {
    task(1, null);
    task(2, null);
    try (var _ = rows.hold("select 1 from task where id = '" + id(1) + "' for update")) {
      assertThat(claimed()).isEqualTo(id(2));
      assertThat(tasks.claim()).isEmpty();
    }
    assertThat(claimed()).isEqualTo(id(1));
  }

  /** Each differs from task 1 in one of the things that a claim is known by. */
  private void placeNamesakes() {
    task(1, in(5));
    task(1, in(5), "tenant_id", FOREIGN);
    task(2, in(5));
  }

  @Test
  void a_page_is_counted_for_its_task_and_its_claim_only() {
    placeNamesakes();
    TaskView claimed = view(1);
    TaskView on = tasks.advance(claimed, new Tasks.Page(id(7), 1, 2, 3, 4, 5)).orElseThrow();
    assertThat(on.cursor()).isEqualTo(id(7));
    assertThat(on.counts()).isEqualTo(new TaskView.Counts(1, 2, 3, 4, 5));
    assertThat(on.claimedUntil()).isEqualTo(CLAIM_END);
    assertThat(tasks.advance(claimed, new Tasks.Page(id(8), 1, 1, 1, 1, 1))).isEmpty();
    assertThat(tasks.advance(on, new Tasks.Page(id(8), 1, 1, 1, 1, 1)).orElseThrow().counts())
        .isEqualTo(new TaskView.Counts(2, 3, 4, 5, 6));
    assertThat(
            rows.ask(
                "select cursor, seen from task where (tenant_id, id) <> (1, '%s')"
                    .formatted(id(1))))
        .isEqualTo(",0 | ,0");
  }

  @Test
  void only_the_claimed_task_is_let_go_of() {
    placeNamesakes();
    TaskView claimed = view(1);
    task(3, in(6));
    tasks.release(claimed);
    assertThat(view(1).claimedUntil()).isEqualTo(NOW);
    tasks.release(claimed);
    assertThat(rows.ask("select count(*) from task where claimed_until > '" + NOW + "'"))
        .isEqualTo("3");
    tasks.release(
        new TaskView(
            TENANT,
            id(3),
            TaskState.RUNNING,
            claimed.request(),
            null,
            claimed.counts(),
            in(5),
            claimed.times()));
    assertThat(view(3).claimedUntil()).isEqualTo(in(6));
  }

  @Test
  void only_the_claimed_task_is_finished() {
    placeNamesakes();
    TaskView claimed = view(1);
    tasks.finish(claimed, TaskState.STOPPED);
    TaskView end = view(1);
    assertThat(end.state()).isEqualTo(TaskState.STOPPED);
    assertThat(end.claimedUntil()).isNull();
    assertThat(end.times().finishedAt()).isEqualTo(NOW);
    tasks.finish(claimed, TaskState.DONE);
    assertThat(rows.ask("select state from task order by state"))
        .isEqualTo("running | running | stopped");
    assertThat(rows.ask("select target, action from audit")).isEqualTo(id(1) + ",task.finish");
  }

  @Test
  void only_a_running_task_is_asked_to_stop_and_only_that_one() {
    placeNamesakes();
    task(3, null, "state", "done", "finished_at", NOW);
    assertThat(tasks.stop(TENANT, id(1), "key:x").orElseThrow().state())
        .isEqualTo(TaskState.STOPPING);
    assertThat(tasks.stop(TENANT, id(1), "key:x")).isEmpty();
    assertThat(tasks.stop(TENANT, id(3), "key:x")).isEmpty();
    assertThat(rows.ask("select state from task order by state"))
        .isEqualTo("done | running | running | stopping");
  }

  @Test
  void tasks_are_listed_newest_first_after_the_last_of_the_page_before() {
    for (int number = 1; number <= 4; number++) {
      task(number, null);
    }
    task(2, null, "tenant_id", FOREIGN);
    assertThat(ids(tasks.list(TENANT, null, 50))).containsExactly(id(4), id(3), id(2), id(1));
    assertThat(ids(tasks.list(TENANT, id(3), 50))).containsExactly(id(2), id(1));
    assertThat(ids(tasks.list(TENANT, null, 2))).containsExactly(id(4), id(3));
    assertThat(tasks.find(FOREIGN, id(3))).isEmpty();
    assertThat(tasks.find(TENANT, id(2)).orElseThrow().tenantId()).isEqualTo(TENANT);
  }

  private static List<UUID> ids(List<TaskView> views) {
    return views.stream().map(TaskView::id).toList();
  }

  @Test
  void a_new_task_ends_with_the_newest_job_of_its_tenant() {
    rows.job(1);
    rows.job(3);
    rows.job(2);
    rows.job(4, "tenant_id", FOREIGN);
    assertThat(made(TENANT).request().newest()).isEqualTo(id(3));
    assertThat(made(TENANT).times().createdAt()).isEqualTo(NOW);
  }

  @Test
  void where_there_is_no_job_a_new_task_has_nothing_to_do() {
    assertThat(made(TENANT).request().newest()).isEqualTo(new UUID(0, 0));
  }

  private TaskView made(int tenant) {
    return tasks.create(new Tasks.NewTask(tenant, UUID.randomUUID(), "cancel", "{}", "key:ops"));
  }
}
