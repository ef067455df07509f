package dev.millrace.postgres.files;

import static dev.millrace.postgres.PlacedRows.FOREIGN;
import static dev.millrace.postgres.PlacedRows.NOW;
import static dev.millrace.postgres.PlacedRows.TENANT;
import static dev.millrace.postgres.PlacedRows.ago;
import static dev.millrace.postgres.PlacedRows.id;
import static dev.millrace.postgres.PlacedRows.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.PlacedRows;
import dev.millrace.postgres.tenants.Visibility;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Files that are brought, given up and erased: each change is of one file, dated by the clock. */
class FileWritesPgTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  private final PlacedRows rows = PlacedRows.none();
  private final Uploads uploads = new Uploads(rows.jdbi());
  private final DeletedFiles deleted = new DeletedFiles(rows.jdbi());

  /** A file of ada's that comes in parts and is waited for. */
  private void announced(int number, @Nullable Object... columns) {
    Object[] usual = {
      "kind",
      "input",
      "job_id",
      null,
      "attempt",
      null,
      "state",
      "pending",
      "expires_at",
      in(60),
      "upload_id",
      "u" + number,
      "part_bytes",
      100
    };
    rows.file(number, Stream.concat(Arrays.stream(usual), Arrays.stream(columns)).toArray());
  }

  private boolean opened(int number, String user, int most) {
    return uploads.open(
            new Uploads.Wish(
                TENANT,
                user,
                id(number),
                "key/" + number,
                new UploadView.Content("a.png", "image/png", 10, "0f".repeat(32)),
                null,
                null),
            HOUR,
            new Uploads.Allowed(most, StorageUse.Limits.NONE))
        instanceof Uploads.Opening.Opened;
  }

  @Test
  void a_user_has_only_so_many_open_wishes() {
    announced(1);
    announced(2, "state", "ready");
    announced(3, "deleted_at", NOW);
    announced(4, "wallet_id", 2);
    assertThat(opened(11, "ada", 2)).isTrue();
    assertThat(opened(12, "ada", 2)).isFalse();
    assertThat(opened(13, "new", 1)).isTrue();
    assertThat(
            rows.ask(
                "select w.user_id, f.created_at, f.expires_at from file f"
                    + " join wallet w on w.id = f.wallet_id and w.tenant_id = 1"
                    + " where f.key like 'key/%' order by f.key"))
        .isEqualTo(
            "ada,2026-03-01 12:00:00+00,2026-03-01 13:00:00+00"
                + " | new,2026-03-01 12:00:00+00,2026-03-01 13:00:00+00");
  }

  @Test
  void an_upload_is_found_for_its_tenant_and_its_user() {
    announced(1);
    announced(2, "deleted_at", NOW);
    rows.file(3);
    announced(4, "wallet_id", 2);
    announced(1, "tenant_id", FOREIGN, "wallet_id", 3, "upload_id", "theirs");
    assertThat(uploads.find(Visibility.of(TENANT, "ada"), id(1)).orElseThrow().parts().uploadId())
        .isEqualTo("u1");
    assertThat(uploads.find(Visibility.of(TENANT, "ada"), id(2))).isEmpty();
    assertThat(uploads.find(Visibility.of(TENANT, "ada"), id(3))).isEmpty();
    assertThat(uploads.find(Visibility.of(TENANT, "ada"), id(4))).isEmpty();
    assertThat(uploads.find(Visibility.of(TENANT), id(4))).isPresent();
    assertThat(uploads.find(Visibility.of(TENANT, "bob"), id(9))).isEmpty();
  }

  @Test
  void what_arrived_is_confirmed_once_and_nothing_else_is() {
    announced(1);
    announced(2);
    announced(1, "tenant_id", FOREIGN);
    announced(3, "deleted_at", NOW);
    Uploads.Found found = new Uploads.Found("ab".repeat(32), 3, 4, "thumb");
    assertThat(uploads.confirm(TENANT, id(1), found)).isTrue();
    assertThat(uploads.confirm(TENANT, id(1), found)).isFalse();
    assertThat(uploads.confirm(TENANT, id(3), found)).isFalse();
    assertThat(
            rows.ask(
                "select tenant_id, id, expires_at, upload_id, part_bytes, sha256, width, height,"
                    + " thumbnail_key from file where state = 'ready'"))
        .isEqualTo("1,%s,,,,%s,3,4,thumb".formatted(id(1), "ab".repeat(32)));
  }

  private @Nullable String extended(int number, @Nullable String user) {
    return uploads
        .extend(Visibility.of(TENANT, user), id(number), HOUR, DAY)
        .map(view -> String.valueOf(view.expiresAt()))
        .orElse(null);
  }

  @Test
  void a_file_in_parts_gets_more_time_but_not_for_ever_and_never_less() {
    String inAnHour = in(3600).toString();
    announced(1);
    announced(2, "created_at", NOW.minus(DAY).plusSeconds(9));
    announced(3, "expires_at", in(9999));
    announced(4, "created_at", NOW.minus(DAY));
    assertThat(extended(1, "ada")).isEqualTo(inAnHour);
    assertThat(extended(2, "ada")).isEqualTo(in(60).toString());
    rows.execute("update file set expires_at = null where id = '" + id(2) + "'");
    assertThat(extended(2, "ada")).isEqualTo(in(9).toString());
    assertThat(extended(3, null)).isEqualTo(in(9999).toString());
    assertThat(extended(4, null)).isNull();
  }

  @Test
  void no_other_file_gets_more_time() {
    announced(1);
    announced(2);
    announced(1, "tenant_id", FOREIGN);
    announced(3, "state", "ready");
    announced(4, "deleted_at", NOW);
    announced(5, "upload_id", null);
    announced(6, "wallet_id", 2);
    assertThat(extended(1, "ada")).isNotNull();
    assertThat(extended(3, "ada")).isNull();
    assertThat(extended(4, "ada")).isNull();
    assertThat(extended(5, "ada")).isNull();
    assertThat(extended(6, "ada")).isNull();
    assertThat(extended(1, "eve")).isNull();
    assertThat(rows.ask("select tenant_id, id from file where expires_at > '%s'".formatted(in(60))))
        .isEqualTo("1," + id(1));
    assertThat(extended(6, null)).isNotNull();
  }

  @Test
  void wishes_are_given_up_oldest_first_when_their_time_was_over_long_ago() throws Exception {
    announced(1, "expires_at", ago(11));
    announced(2, "expires_at", ago(13));
    announced(3, "expires_at", ago(10));
    announced(4, "expires_at", ago(99), "state", "ready");
    announced(5, "expires_at", ago(99), "deleted_at", ago(98));
    announced(6, "expires_at", ago(12));
    Duration patience = Duration.ofSeconds(10);
    assertThat(uploads.giveUp(patience, 1)).isEqualTo(1);
    assertThat(rows.ask("select id, deleted_at from file where name = 'deleted'"))
        .isEqualTo(id(2) + ",2026-03-01 12:00:00+00");
    try (var _ = rows.hold("select 1 from file where id = '" + id(6) + "' for update")) {
      assertThat(uploads.giveUp(patience, 50)).isEqualTo(1);
    }
    assertThat(uploads.giveUp(patience, 50)).isEqualTo(1);
  }

  @Test
  void a_file_is_in_use_while_a_live_job_of_its_payer_names_it() {
    rows.file(1);
    rows.file(2);
    rows.file(1, "tenant_id", FOREIGN, "wallet_id", 3);
    rows.job(11);
    rows.job(12, "wallet_id", 2);
    rows.job(13);
    rows.job(11, "tenant_id", FOREIGN);
    rows.dispatch(11);
    rows.dispatch(12);
    String naming = "{\"a\": \"" + id(1).toString().toUpperCase(java.util.Locale.ROOT) + "\"}";
    rows.input(11, TENANT, "{}");
    rows.input(12, TENANT, naming);
    rows.input(13, TENANT, naming);
    rows.input(11, FOREIGN, naming);
    assertThat(deleted.inUse(TENANT, id(1))).isFalse();
    rows.execute("update job_input set input = '%s' where tenant_id = 1".formatted(naming));
    assertThat(deleted.inUse(TENANT, id(1))).isTrue();
    assertThat(deleted.inUse(TENANT, id(2))).isFalse();
    assertThat(deleted.inUse(FOREIGN, id(1))).isFalse();
    assertThat(deleted.inUse(TENANT, id(3))).isFalse();
  }

  @Test
  void what_a_foreign_live_job_names_is_not_in_use_for_that() {
    rows.file(1);
    rows.job(11, "tenant_id", FOREIGN);
    rows.dispatch(11, "tenant_id", FOREIGN);
    rows.input(11, FOREIGN, "{\"a\": \"" + id(1) + "\"}");
    assertThat(deleted.inUse(TENANT, id(1))).isFalse();
    rows.job(11);
    rows.input(11, TENANT, "{\"a\": \"" + id(1) + "\"}");
    assertThat(deleted.inUse(TENANT, id(1))).as("it is over").isFalse();
  }

  @Test
  void files_are_left_a_minute_after_they_were_deleted_tenant_by_tenant() {
    rows.file(3, "deleted_at", ago(61));
    rows.file(1, "deleted_at", ago(61));
    rows.file(2, "deleted_at", ago(60));
    rows.file(4, "deleted_at", ago(61), "erased_at", NOW);
    rows.file(5);
    rows.file(1, "deleted_at", ago(61), "tenant_id", FOREIGN);
    List<DeletedFiles.Deleted> all = deleted.left(null, 50);
    assertThat(all)
        .extracting(each -> each.tenant() + " " + each.id())
        .containsExactly("1 " + id(1), "1 " + id(3), "2 " + id(1));
    assertThat(deleted.left(all.getFirst(), 50)).isEqualTo(all.subList(1, 3));
    assertThat(deleted.left(null, 1)).hasSize(1);
  }

  @Test
  void a_file_is_erased_once_and_only_if_it_was_deleted() {
    rows.file(1, "deleted_at", ago(9));
    rows.file(2, "deleted_at", ago(9));
    rows.file(3);
    rows.file(1, "deleted_at", ago(9), "tenant_id", FOREIGN);
    deleted.erased(TENANT, id(1));
    deleted.erased(TENANT, id(3));
    rows.clock(in(1));
    deleted.erased(TENANT, id(1));
    assertThat(rows.ask("select tenant_id, id, erased_at from file where erased_at is not null"))
        .isEqualTo("1,%s,2026-03-01 12:00:00+00".formatted(id(1)));
  }

  private void text(String key) {
    rows.row("text_output", "key", key, "content", key);
  }

  @Test
  void texts_are_listed_and_deleted_under_their_prefix_only() {
    Texts texts = new Texts(rows.jdbi());
    for (String key : List.of("a/2", "a/1", "a/", "a/~", "b/1", "A/1")) {
      text(key);
    }
    assertThat(texts.list("a/", 50)).containsExactly("a/1", "a/2");
    assertThat(texts.list("a/", 1)).containsExactly("a/1");
    assertThat(texts.find("a/2").orElseThrow())
        .isEqualTo("a/2".getBytes(StandardCharsets.US_ASCII));
    assertThat(texts.delete("a/2")).isTrue();
    assertThat(texts.delete("a/2")).isFalse();
    assertThat(texts.deleteUnder("a/")).isEqualTo(1);
    assertThat(rows.ask("select key from text_output order by key"))
        .isEqualTo("A/1 | a/ | a/~ | b/1");
    texts.close();
  }
}
