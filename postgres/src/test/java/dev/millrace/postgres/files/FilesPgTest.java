package dev.millrace.postgres.files;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import dev.millrace.postgres.tenants.Visibility;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Who sees which file. Files 11, 12 and 10 are ada's and to be seen, 20 is bob's, and each of those
 * between is hidden for a reason of its own.
 */
class FilesPgTest {

  private static final List<UUID> ALL = IntStream.range(1, 40).mapToObj(PlacedRows::id).toList();

  private final PlacedRows rows = PlacedRows.none();
  private final Files files = new Files(rows.jdbi());
  private final DeletedFiles deleted = new DeletedFiles(rows.jdbi());

  @BeforeEach
  void place_files() {
    rows.job(1, "state", "completed", "attempts", 1);
    rows.job(2, "state", "completed", "attempts", 2);
    rows.job(3, "state", "running", "attempts", 1);
    rows.job(4, "state", "completed", "attempts", 1, "deleted_at", NOW);
    rows.job(5, "state", "running", "attempts", 1);
    rows.job(5, "state", "completed", "attempts", 1, "tenant_id", FOREIGN);
    rows.job(6, "state", "completed", "attempts", 1);
    rows.file(11);
    input(12);
    rows.file(13, "deleted_at", NOW);
    input(14, "state", "pending");
    rows.file(15, "withheld", true);
    for (int job = 2; job <= 5; job++) {
      rows.file(14 + job, "job_id", id(job));
    }
    rows.file(20, "wallet_id", 2);
    rows.file(10, "job_id", id(6));
    input(11, "tenant_id", FOREIGN, "wallet_id", 3);
    input(21, "tenant_id", FOREIGN, "wallet_id", 3);
    input(22, "wallet_id", 3);
    input(23, "tenant_id", FOREIGN);
  }

  private void input(int number, @Nullable Object... columns) {
    Object[] usual = {"kind", "input", "job_id", null, "attempt", null};
    rows.file(number, Stream.concat(Arrays.stream(usual), Arrays.stream(columns)).toArray());
  }

  private static List<UUID> ids(List<FileView> views) {
    return views.stream().map(FileView::id).toList();
  }

  private static List<UUID> ids(Integer... numbers) {
    return Arrays.stream(numbers).map(PlacedRows::id).toList();
  }

  private List<UUID> found(@Nullable String user) {
    return ALL.stream()
        .flatMap(file -> files.find(Visibility.of(TENANT, user), file).stream())
        .map(FileView::id)
        .toList();
  }

  @Test
  void a_file_is_found_while_it_is_to_be_seen() {
    assertThat(found(null)).containsExactlyElementsOf(ids(10, 11, 12, 20, 22));
    assertThat(found("ada")).containsExactlyElementsOf(ids(10, 11, 12, 22));
    assertThat(files.find(Visibility.of(TENANT), id(11)).orElseThrow().kind()).isEqualTo("output");
  }

  @Test
  void the_files_of_jobs_are_those_to_be_seen_job_by_job() {
    assertThat(ids(files.ofJobs(TENANT, ids(1, 2, 3, 4, 5, 6))))
        .containsExactlyElementsOf(ids(11, 20, 10));
    assertThat(ids(files.ofJobs(TENANT, ids(6)))).containsExactlyElementsOf(ids(10));
    rows.execute("update file set job_id = '%s' where job_id is null".formatted(id(1)));
    assertThat(ids(files.ofJobs(FOREIGN, ids(1)))).isEmpty();
    rows.job(1, "state", "completed", "attempts", 1, "tenant_id", FOREIGN);
    rows.execute("update file set attempt = 1");
    assertThat(ids(files.ofJobs(FOREIGN, ids(1)))).containsExactlyElementsOf(ids(11, 21, 23));
    assertThat(ids(files.ofJobs(TENANT, ids(1)))).containsExactlyElementsOf(ids(11, 12, 20, 22));
  }

  @Test
  void those_that_a_user_has_are_picked_from_a_list() {
    assertThat(ids(files.owned(TENANT, "ada", ALL)))
        .containsExactlyInAnyOrderElementsOf(ids(10, 11, 12));
    assertThat(ids(files.owned(TENANT, "bob", ALL))).containsExactlyElementsOf(ids(20));
    assertThat(ids(files.owned(TENANT, "ada", ids(11, 13, 22)))).containsExactlyElementsOf(ids(11));
  }

  @Test
  void a_library_has_a_users_files_newest_first() {
    assertThat(library(null, null, 50)).containsExactlyElementsOf(ids(23, 12, 11, 10));
    assertThat(library("output", null, 50)).containsExactlyElementsOf(ids(11, 10));
    assertThat(library("input", null, 50)).containsExactlyElementsOf(ids(23, 12));
    assertThat(library(null, id(12), 50)).containsExactlyElementsOf(ids(11, 10));
    assertThat(library(null, null, 2)).containsExactlyElementsOf(ids(23, 12));
  }

  private List<UUID> library(@Nullable String kind, @Nullable UUID before, int limit) {
    return ids(files.library(Visibility.of(TENANT, "ada"), kind, before, limit));
  }

  @Test
  void a_reviewer_sees_all_of_the_newest_result_also_what_is_withheld() {
    rows.file(9, "attempt", 2);
    rows.job(1, "state", "completed", "attempts", 1, "tenant_id", FOREIGN);
    rows.file(8, "tenant_id", FOREIGN);
    assertThat(ids(files.madeBy(TENANT, id(1)))).containsExactlyElementsOf(ids(11, 15, 20));
    assertThat(files.madeBy(TENANT, id(4))).isEmpty();
    assertThat(files.madeBy(TENANT, id(2))).isEmpty();
  }

  @Test
  void a_job_may_read_what_its_payer_has_whatever_became_of_it() {
    rows.job(7, "wallet_id", 2);
    rows.job(1, "wallet_id", 2, "tenant_id", FOREIGN);
    rows.file(24, "tenant_id", FOREIGN, "wallet_id", 2);
    assertThat(ids(files.ofPayer(TENANT, id(1), ALL)))
        .containsExactlyInAnyOrderElementsOf(ids(10, 11, 12, 15, 16, 17, 18, 19));
    assertThat(ids(files.ofPayer(TENANT, id(7), ALL))).containsExactlyElementsOf(ids(20));
    assertThat(ids(files.ofPayer(TENANT, id(1), ids(11, 13, 14, 20))))
        .containsExactlyElementsOf(ids(11));
  }

  @Test
  void a_job_may_read_what_was_let_through_of_the_job_that_it_follows() {
    rows.job(7, "follows", id(1), "wallet_id", 2);
    rows.job(8, "follows", id(6), "wallet_id", 2);
    rows.job(7, "follows", id(1), "tenant_id", FOREIGN);
    rows.file(31, "state", "pending");
    rows.file(32, "kind", "input");
    rows.file(33, "tenant_id", FOREIGN);
    assertThat(ids(files.ofFollowed(TENANT, id(7), ALL)))
        .containsExactlyInAnyOrderElementsOf(ids(11, 20));
    assertThat(ids(files.ofFollowed(TENANT, id(7), ids(20, 13))))
        .containsExactlyElementsOf(ids(20));
    assertThat(files.follows(TENANT, id(7))).isTrue();
    assertThat(files.follows(TENANT, id(1))).isFalse();
    assertThat(files.follows(FOREIGN, id(5))).isFalse();
  }

  @Test
  void a_file_can_be_deleted_by_whoever_sees_it_or_announced_it() {
    input(25, "state", "pending", "deleted_at", NOW);
    assertThat(
            ALL.stream()
                .flatMap(file -> deleted.delete(Visibility.of(TENANT, "ada"), file).stream()))
        .extracting(DeletedFiles.Deleted::id)
        .containsExactlyElementsOf(ids(10, 11, 12, 14, 22));
    assertThat(deleted.delete(Visibility.of(TENANT), id(20)).orElseThrow().tenant())
        .isEqualTo(TENANT);
    assertThat(
            rows.ask(
                "select count(*) from file where name = 'deleted' and deleted_at = '%s'"
                    .formatted(NOW)))
        .isEqualTo("6");
    assertThat(rows.ask("select count(*) from file where name = 'deleted' and tenant_id = 2"))
        .isEqualTo("0");
  }
}
