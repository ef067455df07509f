package dev.millrace.postgres.fleet;

import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is done to one worker is done to no other. */
class WorkersPgTest {

  private final PlacedRows rows = PlacedRows.none();
  private final Workers workers = new Workers(rows.jdbi());

  @BeforeEach
  void place_workers() {
    for (String name : List.of("c", "a", "b")) {
      rows.worker(name, "approved_at", null);
    }
    for (int workflow : List.of(3, 1)) {
      rows.row("worker_workflow", "worker_id", "b", "workflow_id", workflow);
    }
    rows.row("worker_workflow", "worker_id", "c", "workflow_id", 2);
    rows.dispatch(1, "worker", "b", "lease_token", id(1));
    rows.dispatch(2, "worker", "b", "lease_token", id(2));
    rows.dispatch(3, "worker", "b");
    rows.dispatch(4, "worker", "c", "lease_token", id(4));
  }

  private static List<String> names(List<WorkerView> views) {
    return views.stream().map(WorkerView::id).toList();
  }

  private static String hash(char name) {
    return "%02x".formatted((int) name).repeat(32);
  }

  @Test
  void a_worker_is_shown_with_its_own_workflows_and_what_it_holds() {
    WorkerView found = workers.find("b").orElseThrow();
    assertThat(found.workflowIds()).containsExactly(1, 3);
    assertThat(found.held()).isEqualTo(2);
    assertThat(workers.find("d")).isEmpty();
    WorkerView byToken = workers.byToken(hash('b')).orElseThrow();
    assertThat(byToken.id()).isEqualTo("b");
    assertThat(byToken.workflowIds()).containsExactly(1, 3);
    assertThat(workers.byToken("00".repeat(32))).isEmpty();
  }

  @Test
  void workers_are_listed_by_name_after_the_last_of_the_page_before() {
    assertThat(names(workers.list(null, 50))).containsExactly("a", "b", "c");
    assertThat(names(workers.list("a", 50))).containsExactly("b", "c");
    assertThat(names(workers.list(null, 2))).containsExactly("a", "b");
    assertThat(workers.list("a", 50)).extracting(WorkerView::held).containsExactly(2, 1);
    assertThat(workers.list("a", 50))
        .extracting(WorkerView::workflowIds)
        .containsExactly(List.of(1, 3), List.of(2));
  }

  @ParameterizedTest
  @EnumSource(names = {"APPROVE", "DRAIN", "REVOKE"})
  void a_change_is_dated_by_the_clock_the_first_time_and_is_of_one_worker(Workers.Change change) {
    WorkerView first = workers.change("b", change).orElseThrow();
    assertThat(time(first, change)).isEqualTo(NOW);
    rows.clock(in(9));
    assertThat(time(workers.change("b", change).orElseThrow(), change)).isEqualTo(NOW);
    assertThat(time(workers.find("a").orElseThrow(), change)).isNull();
    assertThat(workers.change("d", change)).isEmpty();
  }

  private static @Nullable Instant time(WorkerView worker, Workers.Change change) {
    return switch (change) {
      case APPROVE -> worker.approval().approvedAt();
      case DRAIN -> worker.approval().drainingAt();
      case REVOKE -> worker.approval().revokedAt();
      case RESUME -> throw new IllegalArgumentException();
    };
  }

  @Test
  void one_worker_is_resumed_and_the_others_go_on_draining() {
    workers.change("a", Workers.Change.DRAIN);
    workers.change("b", Workers.Change.DRAIN);
    workers.change("b", Workers.Change.RESUME);
    assertThat(workers.find("b").orElseThrow().approval().drainingAt()).isNull();
    assertThat(workers.find("a").orElseThrow().approval().drainingAt()).isEqualTo(NOW);
  }

  @Test
  void a_worker_is_not_ready_since_it_said_so_first() {
    workers.ready("b", "no disk");
    rows.clock(in(9));
    assertThat(workers.ready("b", "no network").orElseThrow().readiness())
        .isEqualTo(new WorkerView.Readiness("no network", NOW));
    assertThat(workers.find("a").orElseThrow().readiness())
        .isEqualTo(new WorkerView.Readiness(null, null));
    assertThat(workers.ready("b", null).orElseThrow().readiness())
        .isEqualTo(new WorkerView.Readiness(null, null));
  }

  @Test
  void one_worker_gets_another_token() {
    workers.rotate("b", hash('z'));
    assertThat(workers.byToken(hash('z')).orElseThrow().id()).isEqualTo("b");
    assertThat(workers.byToken(hash('b'))).isEmpty();
    assertThat(workers.byToken(hash('a'))).isPresent();
  }

  @Test
  void one_worker_is_assigned_to_exactly_these_workflows() {
    assertThat(workers.reassign("b", List.of(2, 1, 2)).orElseThrow().workflowIds())
        .containsExactly(1, 2);
    assertThat(workers.find("c").orElseThrow().workflowIds()).containsExactly(2);
  }

  @ParameterizedTest
  @CsvSource({"b, b, true", "b, a, false", "d, b, false"})
  void only_the_very_worker_that_was_seen_is_forgotten(String name, String seen, boolean gone) {
    WorkerView of = workers.find(seen).orElseThrow();
    assertThat(
            workers.delete(
                new WorkerView(
                    name,
                    of.uid(),
                    of.capacity(),
                    of.presence(),
                    of.approval(),
                    of.readiness(),
                    List.of(),
                    0)))
        .isEqualTo(gone);
    assertThat(names(workers.list(null, 50))).hasSize(gone ? 2 : 3);
    assertThat(workers.find("a")).isPresent();
  }

  @Test
  void who_was_heard_of_was_heard_of_now() throws Exception {
    rows.clock(in(5));
    try (var _ = rows.hold("select 1 from worker where id = 'c' for update")) {
      workers.seen(Set.of("b", "c"));
    }
    assertThat(workers.list(null, 50))
        .extracting(view -> view.presence().lastSeenAt())
        .containsExactly(NOW, in(5), NOW);
  }

  /** A lease counts what its worker holds under this lock; a plain look at it must not wait. */
  @Test
  void who_was_heard_of_keeps_nobody_from_looking_at_it() throws Exception {
    try (var _ = rows.hold("select 1 from worker where id = 'b' for key share")) {
      rows.clock(in(5));
      workers.seen(Set.of("b"));
    }
    assertThat(workers.find("b").orElseThrow().presence().lastSeenAt()).isEqualTo(in(5));
  }

  @Test
  void the_silent_are_those_that_were_not_heard_of_for_longer() {
    rows.execute("update worker set last_seen_at = '%s'".formatted(ago(10)));
    rows.worker("d", "last_seen_at", ago(11), "revoked_at", ago(1));
    assertThat(workers.silent(Duration.ofSeconds(10), 50)).isEmpty();
    assertThat(names(workers.silent(Duration.ofMillis(9_999), 50))).containsExactly("a", "b", "c");
    assertThat(names(workers.silent(Duration.ofMillis(9_999), 1))).containsExactly("a");
    assertThat(workers.silent(Duration.ofMillis(9_999), 2).getLast().workflowIds())
        .containsExactly(1, 3);
  }

  private Workers.Registration register(String name, int most, boolean approved) {
    return workers.register(
        new Workers.NewWorker(
            name, UUID.randomUUID(), hash(name.charAt(0)), 1, null, "{}", List.of(1, 1), approved),
        most);
  }

  @Test
  void only_workers_that_are_not_revoked_fill_the_fleet() {
    assertThat(register("x", 3, true)).isEqualTo(new Workers.Registration.Full(3));
    workers.change("a", Workers.Change.REVOKE);
    assertThat(register("x", 3, true)).isInstanceOf(Workers.Registration.Registered.class);
    assertThat(workers.find("x").orElseThrow().approval().approvedAt()).isEqualTo(NOW);
    register("y", 9, false);
    assertThat(workers.find("y").orElseThrow().approval().approvedAt()).isNull();
    assertThat(register("y", 9, false)).isInstanceOf(Workers.Registration.Taken.class);
  }
}
