package dev.millrace.postgres.jobs;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.engine.lifecycle.State;
import dev.millrace.postgres.PlacedRows;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which jobs a task is about: those of its filter, however they are found. */
class TaskJobsPgTest {

  private static final UUID BATCH = id(900);

  private final PlacedRows rows = PlacedRows.none();
  private final TaskJobs jobs = new TaskJobs(rows.jdbi());

  /** What a filter can name, and so along which index its jobs are found. */
  enum Way {
    TENANT(null, null),
    USER("ada", null),
    BATCH_OF_ANYBODY(null, TaskJobsPgTest.BATCH),
    BATCH_OF_USER("ada", TaskJobsPgTest.BATCH);

    private final @Nullable String user;
    private final @Nullable UUID batch;

    Way(@Nullable String user, @Nullable UUID batch) {
      this.user = user;
      this.batch = batch;
    }

    TaskJobs.Filter wide() {
      return new TaskJobs.Filter(List.of(State.FAILED), null, user, batch, null, null, null);
    }

    TaskJobs.Filter narrow() {
      return new TaskJobs.Filter(List.of(State.FAILED), "e1", user, batch, "x", ago(100), ago(50));
    }
  }

  private void failed(int number, @Nullable Object... columns) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("state", "failed");
    row.put("batch_id", BATCH);
    row.put("error_code", "x");
    row.put("held", number);
    for (int i = 0; i < columns.length; i += 2) {
      row.put(String.valueOf(columns[i]), columns[i + 1]);
    }
    rows.job(
        number,
        row.entrySet().stream()
            .flatMap(column -> Stream.of(column.getKey(), column.getValue()))
            .toArray());
  }

  private static TaskView task(int newest, @Nullable UUID cursor) {
    return new TaskView(
        TENANT,
        id(800),
        TaskState.RUNNING,
        new TaskView.Request("cancel", "{}", "key:ops", id(newest)),
        cursor,
        new TaskView.Counts(0, 0, 0, 0, 0),
        null,
        new TaskView.Times(NOW, null));
  }

  private static List<UUID> ids(Integer... numbers) {
    return Arrays.stream(numbers).map(PlacedRows::id).toList();
  }

  private static List<UUID> found(TaskJobs.Part part) {
    return part.matches().stream().map(TaskJobs.Match::id).toList();
  }

  @ParameterizedTest
  @EnumSource
  void a_job_must_be_all_that_the_filter_says(Way way) {
    failed(1, "created_at", ago(100));
    failed(2);
    failed(3, "tenant_id", FOREIGN);
    failed(3, "state", "expired");
    failed(4, "deleted_at", NOW);
    failed(5, "effect_id", 2);
    failed(6, "error_code", "y");
    failed(7, "error_code", null);
    failed(8, "created_at", ago(101));
    failed(9, "created_at", ago(50));
    failed(10);

    assertThat(found(jobs.next(task(20, null), way.narrow(), 50, 50)))
        .containsExactlyElementsOf(ids(1, 2, 10));
    assertThat(jobs.quote(TENANT, way.narrow())).isEqualTo(new TaskJobs.Quote(3, 13));
  }

  @ParameterizedTest
  @EnumSource
  void what_the_filter_does_not_say_does_not_matter(Way way) {
    failed(1);
    failed(2, "effect_id", 2, "error_code", null, "created_at", ago(5000));
    failed(3, "error_code", "y", "created_at", NOW);

    assertThat(found(jobs.next(task(20, null), way.wide(), 50, 50)))
        .containsExactlyElementsOf(ids(1, 2, 3));
    assertThat(jobs.quote(TENANT, way.wide())).isEqualTo(new TaskJobs.Quote(3, 6));
  }

  @ParameterizedTest
  @EnumSource
  void only_jobs_of_the_user_and_of_the_batch_count_if_there_are_such(Way way) {
    failed(1);
    failed(2, "wallet_id", 2);
    failed(3, "batch_id", id(901));
    failed(4, "tenant_id", FOREIGN, "wallet_id", 3);
    failed(5);

    List<Integer> expected =
        switch (way) {
          case TENANT -> List.of(1, 2, 3, 5);
          case USER -> List.of(1, 3, 5);
          case BATCH_OF_ANYBODY -> List.of(1, 2, 5);
          case BATCH_OF_USER -> List.of(1, 5);
        };
    assertThat(found(jobs.next(task(20, null), way.wide(), 50, 50)))
        .containsExactlyElementsOf(expected.stream().map(PlacedRows::id).toList());
    assertThat(jobs.quote(TENANT, way.wide()).jobs()).isEqualTo(expected.size());
  }

  @ParameterizedTest
  @EnumSource
  void a_task_goes_on_after_its_cursor_and_ends_with_the_newest_job_of_its_time(Way way) {
    for (int number = 1; number <= 5; number++) {
      failed(number);
    }
    assertThat(jobs.next(task(4, id(1)), way.wide(), 50, 50))
        .satisfies(part -> assertThat(found(part)).containsExactlyElementsOf(ids(2, 3, 4)))
        .satisfies(part -> assertThat(part.end()).isEqualTo(id(4)));
    assertThat(jobs.next(task(4, id(4)), way.wide(), 50, 50))
        .isEqualTo(new TaskJobs.Part(List.of(), null));
  }

  @ParameterizedTest
  @EnumSource
  void a_part_ends_with_the_last_job_that_was_looked_at_or_acted_on(Way way) {
    failed(1, "tenant_id", FOREIGN);
    failed(2, "state", "expired");
    failed(3);
    failed(4);
    failed(5);
    assertThat(jobs.next(task(20, null), way.wide(), 50, 2))
        .satisfies(part -> assertThat(found(part)).containsExactlyElementsOf(ids(3)))
        .satisfies(part -> assertThat(part.end()).isEqualTo(id(3)));
    assertThat(jobs.next(task(20, null), way.wide(), 2, 50))
        .satisfies(part -> assertThat(found(part)).containsExactlyElementsOf(ids(3, 4)))
        .satisfies(part -> assertThat(part.end()).isEqualTo(id(4)));
  }

  @ParameterizedTest
  @EnumSource
  void what_others_have_is_not_walked_over(Way way) {
    failed(1, "tenant_id", FOREIGN);
    failed(2, "wallet_id", 2, "batch_id", id(901));
    failed(3);
    assertThat(jobs.next(task(20, null), way.wide(), 50, 1).end())
        .isEqualTo(way == Way.TENANT ? id(2) : id(3));
  }

  @ParameterizedTest
  @EnumSource
  void a_job_that_was_made_after_the_task_is_none_of_its_business(Way way) {
    failed(1, "created_at", NOW);
    failed(2, "created_at", NOW.plusMillis(1));
    assertThat(found(jobs.next(task(20, null), way.wide(), 50, 50)))
        .containsExactlyElementsOf(ids(1));
  }

  @ParameterizedTest
  @EnumSource
  void no_job_holds_nothing(Way way) {
    assertThat(jobs.quote(TENANT, way.wide())).isEqualTo(new TaskJobs.Quote(0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void a_match_is_told_with_its_own_effect_and_user(Way way) {
    failed(1, "effect_id", 3, "workflow_id", 2);
    failed(2, "effect_id", 3, "workflow_id", 2);
    assertThat(jobs.next(task(20, null), way.wide(), 50, 50).matches())
        .containsExactly(
            new TaskJobs.Match(id(1), 2, "e3", "ada"), new TaskJobs.Match(id(2), 2, "e3", "ada"));
  }

  @Test
  void inputs_are_those_of_the_tenants_own_jobs() {
    rows.input(1, TENANT, "{\"n\": 1}");
    rows.input(2, TENANT, "{\"n\": 2}");
    rows.input(3, TENANT, "{\"n\": 3}");
    rows.input(2, FOREIGN, "{\"n\": 20}");
    rows.input(4, FOREIGN, "{\"n\": 4}");
    assertThat(jobs.inputs(TENANT, ids(1, 2, 4)))
        .isEqualTo(Map.of(id(1), "{\"n\": 1}", id(2), "{\"n\": 2}"));
  }
}
