package dev.millrace.postgres.jobs;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Cleaning up after a deleted job touches nothing of any other, and of that one only once. */
class DeletedWordsPgTest {

  private static final String DONE = "2026-03-01 12:00:00+00";

  private final PlacedRows rows = PlacedRows.none();
  private final DeletedJobFiles leftovers = new DeletedJobFiles(rows.jdbi());

  private void words(int number, int tenant, @Nullable Object deletedAt) {
    rows.job(
        number,
        "tenant_id",
        tenant,
        "deleted_at",
        deletedAt,
        "summary",
        "{\"a\": 1}",
        "message",
        "m",
        "error_message",
        "e");
    rows.input(number, tenant, "{\"a\": 1}");
    rows.attempt(number, "tenant_id", tenant, "error", "e");
    rows.row(
        "job_event",
        "tenant_id",
        tenant,
        "job_id",
        id(number),
        "seq",
        1,
        "state",
        "queued",
        "progress",
        0,
        "attempt",
        0,
        "at",
        ago(9),
        "summary",
        "{\"a\": 1}",
        "message",
        "m");
  }

  private String left(String columns, String from) {
    return rows.ask("select %s from %s".formatted(columns, from));
  }

  @Test
  void only_the_words_of_the_deleted_job_are_forgotten() {
    words(1, TENANT, NOW);
    words(2, TENANT, NOW);
    words(1, FOREIGN, NOW);
    leftovers.forget(TENANT, id(1));
    assertThat(
            left(
                "tenant_id, id, summary, message, error_message", "job where error_message <> 'e'"))
        .isEqualTo("1,%s,,,Deleted".formatted(id(1)));
    assertThat(left("count(*)", "job where summary is null or message is null")).isEqualTo("1");
    assertThat(left("tenant_id, job_id", "job_input where input = '{}'")).isEqualTo("1," + id(1));
    assertThat(left("tenant_id, job_id", "attempt where error is null")).isEqualTo("1," + id(1));
    for (String word : List.of("summary", "message")) {
      assertThat(left("tenant_id, job_id", "job_event where " + word + " is null"))
          .isEqualTo("1," + id(1));
    }
  }

  @Test
  void a_job_that_is_still_there_keeps_its_words_whatever_was_deleted_beside_it() {
    words(1, TENANT, null);
    words(2, TENANT, NOW);
    words(1, FOREIGN, NOW);
    leftovers.forget(TENANT, id(1));
    assertThat(left("count(*)", "job where summary is null or message is null")).isEqualTo("0");
    assertThat(left("count(*)", "job_input where input = '{}'")).isEqualTo("0");
    assertThat(left("count(*)", "attempt where error is null")).isEqualTo("0");
    assertThat(left("count(*)", "job_event where summary is null")).isEqualTo("0");
  }

  @Test
  void a_job_that_had_no_error_has_none_afterwards() {
    rows.job(1, "deleted_at", NOW);
    leftovers.forget(TENANT, id(1));
    assertThat(left("error_message", "job")).isEmpty();
  }

  @Test
  void only_the_deleted_job_is_marked_as_cleaned_and_only_once() {
    rows.job(1, "deleted_at", ago(9));
    rows.job(2, "deleted_at", ago(9));
    rows.job(3);
    rows.job(1, "deleted_at", ago(9), "tenant_id", FOREIGN);
    leftovers.cleaned(TENANT, id(1));
    leftovers.cleaned(TENANT, id(3));
    rows.clock(NOW.plusSeconds(1));
    leftovers.cleaned(TENANT, id(1));
    assertThat(left("tenant_id, id, cleaned_at", "job where cleaned_at is not null"))
        .isEqualTo("1," + id(1) + "," + DONE);
  }

  @Test
  void the_files_of_a_deleted_job_are_its_own_that_are_still_there() {
    rows.job(1, "deleted_at", NOW);
    rows.job(2, "deleted_at", NOW);
    rows.job(3);
    rows.job(1, "tenant_id", FOREIGN, "deleted_at", NOW);
    rows.job(3, "tenant_id", FOREIGN, "deleted_at", NOW);
    for (int number : List.of(13, 11, 12)) {
      rows.file(number);
    }
    rows.file(14, "deleted_at", NOW);
    rows.file(15, "job_id", id(2));
    rows.file(16, "tenant_id", FOREIGN);
    rows.file(17, "job_id", id(3));
    assertThat(files(1)).containsExactly(id(11), id(12), id(13));
    assertThat(files(3)).isEmpty();
  }

  private List<UUID> files(int job) {
    return leftovers.filesOf(TENANT, id(job)).stream().map(DeletedJobFiles.Leftover::id).toList();
  }

  @Test
  void a_file_whose_objects_are_gone_is_marked_once_and_no_other_is() {
    rows.file(1);
    rows.file(2);
    rows.file(1, "tenant_id", FOREIGN);
    rows.file(3, "deleted_at", ago(9));
    leftovers.removed(TENANT, id(1));
    leftovers.removed(TENANT, id(3));
    assertThat(left("tenant_id, id, deleted_at, erased_at", "file where name = 'deleted'"))
        .isEqualTo("1,%1$s,%2$s,%2$s".formatted(id(1), DONE));
  }

  @Test
  void jobs_are_found_a_minute_after_they_were_deleted_tenant_by_tenant() {
    rows.job(3, "deleted_at", ago(61));
    rows.job(1, "deleted_at", ago(61));
    rows.job(2, "deleted_at", ago(60));
    rows.job(4, "deleted_at", ago(61), "cleaned_at", NOW);
    rows.job(5);
    rows.job(1, "deleted_at", ago(61), "tenant_id", FOREIGN);
    List<DeletedJobFiles.Deleted> all = leftovers.find(null, 50);
    assertThat(all)
        .containsExactly(
            new DeletedJobFiles.Deleted(TENANT, "t1", id(1)),
            new DeletedJobFiles.Deleted(TENANT, "t1", id(3)),
            new DeletedJobFiles.Deleted(FOREIGN, "t2", id(1)));
    assertThat(leftovers.find(all.getFirst(), 50)).isEqualTo(all.subList(1, 3));
    assertThat(leftovers.find(null, 1)).hasSize(1);
  }
}
