package dev.millrace.postgres.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.postgres.EngineRig;
import dev.millrace.postgres.files.Uploads.Opening;
import dev.millrace.postgres.tenants.Visibility;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Files that users bring, as rows. */
class UploadsPgTest {

  private static final String SHA256 = "0".repeat(64);
  private static final Duration HOUR = Duration.ofHours(1);

  private final EngineRig rig = EngineRig.open();
  private final Uploads uploads = rig.database().uploads();
  private final Files files = rig.database().files();
  private final DeletedFiles deleted = rig.database().deletedFiles();

  @AfterEach
  void the_doctor_finds_nothing() {
    rig.close();
  }

  @Test
  void a_wish_of_a_user_without_a_wallet_is_stored_and_nobody_sees_it() {
    UploadView wish = open("newcomer", null);
    assertThat(wish.state()).isEqualTo(UploadState.PENDING);
    assertThat(wish.expiresAt())
        .isBetween(wish.createdAt().plus(HOUR), wish.createdAt().plus(HOUR).plusSeconds(60));
    assertThat(uploads.find(Visibility.of(rig.acme(), "newcomer"), wish.id())).contains(wish);
    assertThat(files.find(Visibility.of(rig.acme(), "newcomer"), wish.id())).isEmpty();
    assertThat(files.library(Visibility.of(rig.acme(), "newcomer"), null, null, 10)).isEmpty();
    assertThat(files.owned(rig.acme(), "newcomer", List.of(wish.id()))).isEmpty();
  }

  @Test
  void a_wish_and_a_file_of_another_user_or_tenant_are_not_found() {
    UploadView wish = open("ada", SHA256);
    assertUnknown(wish.id());
    confirm(wish);
    assertUnknown(wish.id());
    assertThat(files.owned(rig.acme(), "ada", List.of(wish.id()))).hasSize(1);
  }

  private void assertUnknown(UUID id) {
    for (String user : new String[] {"bob", "ADA"}) {
      assertThat(uploads.find(Visibility.of(rig.acme(), user), id)).isEmpty();
      assertThat(files.find(Visibility.of(rig.acme(), user), id)).isEmpty();
      assertThat(files.owned(rig.acme(), user, List.of(id))).isEmpty();
      assertThat(deleted.delete(Visibility.of(rig.acme(), user), id)).isEmpty();
    }
    assertThat(uploads.find(Visibility.of(rig.zenith(), "ada"), id)).isEmpty();
    assertThat(uploads.find(Visibility.of(rig.zenith()), id)).isEmpty();
    assertThat(files.find(Visibility.of(rig.zenith()), id)).isEmpty();
    assertThat(deleted.delete(Visibility.of(rig.zenith(), "ada"), id)).isEmpty();
    assertThat(deleted.delete(Visibility.of(rig.zenith()), id)).isEmpty();
    assertThat(files.owned(rig.zenith(), "ada", List.of(id))).isEmpty();
    assertThat(uploads.confirm(rig.zenith(), id, found())).isFalse();
    assertThat(deleted.inUse(rig.zenith(), id)).isFalse();
  }

  @Test
  void a_file_is_confirmed_once() {
    UploadView wish = open("ada", null);
    assertThat(uploads.confirm(rig.acme(), wish.id(), found())).isTrue();
    assertThat(uploads.confirm(rig.acme(), wish.id(), found())).isFalse();
    FileView file = files.find(Visibility.of(rig.acme(), "ada"), wish.id()).orElseThrow();
    assertThat(file.kind()).isEqualTo("input");
    assertThat(file.content().sha256()).isEqualTo(SHA256);
    assertThat(file.content().width()).isEqualTo(4);
    assertThat(files.library(Visibility.of(rig.acme(), "ada"), "input", null, 10))
        .containsExactly(file);
    assertThat(files.library(Visibility.of(rig.acme(), "ada"), "output", null, 10)).isEmpty();
  }

  @Test
  void a_user_may_not_wish_without_end() {
    UploadView first = open("ada", null);
    assertThat(uploads.open(wish("ada", null), HOUR, most(2))).isInstanceOf(Opening.Opened.class);
    assertThat(uploads.open(wish("ada", null), HOUR, most(2))).isEqualTo(new Opening.TooMany());
    assertThat(uploads.open(wish("bob", null), HOUR, most(2))).isInstanceOf(Opening.Opened.class);
    confirm(first);
    assertThat(uploads.open(wish("ada", null), HOUR, most(2))).isInstanceOf(Opening.Opened.class);
  }

  @Test
  void only_old_wishes_are_given_up_and_then_not_confirmed_any_more() {
    UploadView old = open("ada", null);
    UploadView young = open("ada", null);
    UploadView ready = open("ada", null);
    confirm(ready);
    rig.place()
        .execute(
            "update file set expires_at = clock_timestamp() - interval '61 minutes' where id = '%s'"
                .formatted(old.id()));
    assertThat(uploads.giveUp(Duration.ofMinutes(62), 10)).isZero();
    assertThat(uploads.giveUp(HOUR, 10)).isEqualTo(1);
    assertThat(uploads.confirm(rig.acme(), old.id(), found())).isFalse();
    assertThat(uploads.find(Visibility.of(rig.acme()), old.id())).isEmpty();
    assertThat(uploads.confirm(rig.acme(), young.id(), found())).isTrue();
  }

  @Test
  void a_deleted_file_is_left_over_until_its_object_is_gone() {
    UploadView wish = open("ada", null);
    confirm(wish);
    DeletedFiles.Deleted gone =
        deleted.delete(Visibility.of(rig.acme(), "ada"), wish.id()).orElseThrow();
    assertThat(gone.key()).isEqualTo(wish.key());
    assertThat(files.find(Visibility.of(rig.acme(), "ada"), wish.id())).isEmpty();
    assertThat(deleted.delete(Visibility.of(rig.acme(), "ada"), wish.id())).isEmpty();
    assertThat(deleted.left(null, 10)).isEmpty();
    rig.place().execute("update file set deleted_at = deleted_at - interval '2 minutes'");
    assertThat(deleted.left(null, 10)).containsExactly(gone);
    assertThat(deleted.left(gone, 10)).isEmpty();
    deleted.erased(gone.tenant(), gone.id());
    assertThat(deleted.left(null, 10)).isEmpty();
    assertThat(rig.place().ask("select name from file")).isEqualTo("deleted");
  }

  private UploadView open(String user, @Nullable String sha256) {
    return ((Opening.Opened) uploads.open(wish(user, sha256), HOUR, most(100))).file();
  }

  private static Uploads.Allowed most(int pending) {
    return new Uploads.Allowed(pending, StorageUse.Limits.NONE);
  }

  private void confirm(UploadView wish) {
    assertThat(uploads.confirm(rig.acme(), wish.id(), found())).isTrue();
  }

  private static Uploads.Found found() {
    return new Uploads.Found(SHA256, 4, 3, null);
  }

  private Uploads.Wish wish(String user, @Nullable String sha256) {
    UUID id = UUID.randomUUID();
    return new Uploads.Wish(
        rig.acme(),
        user,
        id,
        "key-" + id,
        new UploadView.Content("a.png", "image/png", 12, sha256),
        null,
        null);
  }
}
