package dev.millrace.storage.url;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.storage.Hostile;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.local.LocalObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DownloadsTest {

  private static final String KEY = Hostile.GOOD;

  @TempDir Path root;
  private ObjectStore store;
  private Downloads downloads;

  @BeforeEach
  void storeTenBytes() throws IOException {
    store =
        new LocalObjectStore(
            root, new UrlSigner(SigningKeys.of(new byte[32])), InstantSource.system());
    store.put(KEY, "image/png", new ByteArrayInputStream("0123456789".getBytes(UTF_8)), 10);
    downloads = new Downloads(store);
  }

  @Test
  void a_picture_is_shown_in_place_under_its_name() throws IOException {
    try (Download download = ready("image/png", "poster.png", null)) {
      assertThat(download.headers())
          .containsEntry("Content-Type", "image/png")
          .containsEntry("Content-Length", "10")
          .containsEntry(
              "Content-Disposition", "inline; filename=\"poster.png\"; filename*=UTF-8''poster.png")
          .containsEntry("X-Content-Type-Options", "nosniff")
          .doesNotContainKey("Content-Range");
      assertThat(download.partial()).isFalse();
      assertThat(download.stream()).hasContent("0123456789");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "image/svg+xml",
        "application/pdf",
        "application/octet-stream",
        "application/xhtml+xml",
        "text/xml",
        "text/javascript"
      })
  void what_could_carry_a_script_is_only_saved(String type) throws IOException {
    try (Download download = ready(type, "a", null)) {
      assertThat(download.contentDisposition()).startsWith("attachment; ");
      assertThat(download.headers().get("Content-Security-Policy")).contains("sandbox");
    }
  }

  @Test
  void a_type_we_do_not_store_is_served_as_bytes() throws IOException {
    try (Download download = ready("application/xhtml+xml", null, null)) {
      assertThat(download.contentType()).isEqualTo("application/octet-stream");
      assertThat(download.contentDisposition()).isEqualTo("attachment");
    }
  }

  @Test
  void text_says_its_charset() throws IOException {
    try (Download download = ready("text/plain", null, null)) {
      assertThat(download.contentType()).isEqualTo("text/plain; charset=utf-8");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, 0, bytes 0-0/10",
    "bytes=0-3, 0123, bytes 0-3/10",
    "bytes=3-, 3456789, bytes 3-9/10",
    "bytes=8-100, 89, bytes 8-9/10",
    "bytes=-3, 789, bytes 7-9/10",
    "bytes=-100, 0123456789, bytes 0-9/10",
    "BYTES=9-, 9, bytes 9-9/10",
  })
  void a_range_is_answered_with_its_part(String range, String content, String contentRange)
      throws IOException {
    try (Download download = ready("image/png", null, range)) {
      assertThat(download.partial()).isTrue();
      assertThat(download.headers())
          .containsEntry("Content-Range", contentRange)
          .containsEntry("Content-Length", Integer.toString(content.length()));
      assertThat(download.stream()).hasContent(content);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=5-3",
        "bytes=0-1,3-4",
        "bytes=a-b",
        "items=0-1",
        "bytes=0-99999999999999999999",
        "bytes=-1-2"
      })
  void a_range_that_makes_no_sense_is_ignored(String range) throws IOException {
    try (Download download = ready("image/png", null, range)) {
      assertThat(download.partial()).isFalse();
      assertThat(download.length()).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=10-", "bytes=10-20", "bytes=999-", "bytes=-0"})
  void a_range_outside_the_object_cannot_be_satisfied(String range) {
    assertThat(downloads.open(grant("image/png", null), ranged(range)))
        .isEqualTo(new DownloadResult.RangeNotSatisfiable(10));
    assertThat(new DownloadResult.RangeNotSatisfiable(10).contentRange()).isEqualTo("bytes */10");
  }

  @Test
  void a_deleted_object_is_missing() {
    store.delete(KEY);
    assertThat(downloads.open(grant("image/png", null), Downloads.Wishes.NONE))
        .isEqualTo(new DownloadResult.Missing());
    assertThat(downloads.open(grant("image/png", null), ranged("bytes=0-1")))
        .isEqualTo(new DownloadResult.Missing());
  }

  @Test
  void a_grant_to_write_is_none_to_read() {
    UrlVerdict.Granted put = new UrlVerdict.Granted("PUT", KEY, "image/png", null, 10, null);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> downloads.open(put, Downloads.Wishes.NONE));
  }

  private Download ready(String type, @Nullable String filename, @Nullable String range) {
    DownloadResult result = downloads.open(grant(type, filename), ranged(range));
    assertThat(result).isInstanceOf(DownloadResult.Ready.class);
    return ((DownloadResult.Ready) result).download();
  }

  private static UrlVerdict.Granted grant(String type, @Nullable String filename) {
    return new UrlVerdict.Granted("GET", KEY, type, filename, ObjectRequest.UNKNOWN_LENGTH, null);
  }

  @Test
  void who_has_it_already_is_told_so() {
    String tag = ready("image/png", null, null).headers().getOrDefault("ETag", "");
    assertThat(tag).matches("\"[0-9a-f]{32}\"");
    for (String has : List.of(tag, "\"x\", " + tag, "W/" + tag, "*")) {
      assertThat(open(null, null, has)).isEqualTo(new DownloadResult.Unchanged(tag));
    }
    assertThat(open(null, null, "\"x\"")).isInstanceOf(DownloadResult.Ready.class);
  }

  @Test
  void a_part_is_served_only_to_who_has_the_rest_of_the_same_object() {
    String tag = ready("image/png", null, null).headers().getOrDefault("ETag", "");
    assertThat(partial(open("bytes=1-2", tag, null))).isTrue();
    assertThat(partial(open("bytes=1-2", "\"x\"", null))).isFalse();
    assertThat(partial(open("bytes=1-2", "W/" + tag, null))).isFalse();
  }

  private DownloadResult open(
      @Nullable String range, @Nullable String ifRange, @Nullable String ifNoneMatch) {
    return downloads.open(
        grant("image/png", null), new Downloads.Wishes(range, ifRange, ifNoneMatch));
  }

  private static boolean partial(DownloadResult result) {
    return ((DownloadResult.Ready) result).download().partial();
  }

  private static Downloads.Wishes ranged(@Nullable String range) {
    return new Downloads.Wishes(range, null, null);
  }
}
