package dev.millrace.storage.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.spi.provider.Output;
import dev.millrace.storage.ObjectCheck;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreConformanceTest;
import dev.millrace.storage.local.LocalObjectStore;
import dev.millrace.storage.picture.PictureBudget;
import dev.millrace.storage.picture.Pictures;
import dev.millrace.storage.picture.Thumbnails;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputsTest {

  private static final int MAX_BYTES = 100_000;

  @TempDir Path root;
  private ObjectStore store;
  private Outputs outputs;

  @BeforeEach
  void openStore() {
    store =
        new LocalObjectStore(
            root, new UrlSigner(SigningKeys.of(new byte[32])), InstantSource.system());
    outputs = new Outputs(store, new Thumbnails(), MAX_BYTES);
  }

  @Test
  void a_picture_is_stored_with_its_measures_and_a_thumbnail() throws IOException {
    byte[] png = Pictures.png(640, 320);
    StoredOutput stored = store("poster.png", "image/png", png);

    assertThat(stored.key())
        .isEqualTo("tenants/acme/jobs/j1/attempt-2/output-" + stored.fileId() + ".png");
    assertThat(stored.fileId().version()).isEqualTo(7);
    assertThat(stored.name()).isEqualTo("poster.png");
    assertThat(stored.mediaType()).isEqualTo("image/png");
    assertThat(stored.size()).isEqualTo(png.length);
    assertThat(stored.sha256()).isEqualTo(ObjectStoreConformanceTest.sha256(png));
    assertThat(stored.width()).isEqualTo(640);
    assertThat(stored.height()).isEqualTo(320);
    assertThat(stored.thumbnailKey()).isEqualTo(stored.key().replace(".png", "-thumb.jpg"));
    assertThat(store.size(Objects.requireNonNull(stored.thumbnailKey()))).isPresent();
    assertThat(outputs.verify(stored)).isEqualTo(ObjectCheck.INTACT);
  }

  @Test
  void text_has_neither_measures_nor_thumbnail() throws IOException {
    StoredOutput stored =
        store("story", "Text/Plain; charset=UTF-8", "Once upon a time".getBytes(UTF_8));
    assertThat(stored.name()).isEqualTo("story.txt");
    assertThat(stored.mediaType()).isEqualTo("text/plain");
    assertThat(stored.width()).isNull();
    assertThat(stored.height()).isNull();
    assertThat(stored.thumbnailKey()).isNull();
  }

  @Test
  void a_damaged_picture_is_an_output_without_a_thumbnail() throws IOException {
    StoredOutput stored = store("a.png", "image/png", Pictures.pngSignature());
    assertThat(stored.thumbnailKey()).isNull();
    assertThat(outputs.verify(stored)).isEqualTo(ObjectCheck.INTACT);
  }

  @Test
  void a_picture_bomb_is_an_output_without_a_thumbnail() throws IOException {
    StoredOutput stored =
        store("a.png", "image/png", Pictures.claiming(100_000, 100_000, new byte[100]));
    assertThat(stored.width()).isEqualTo(100_000);
    assertThat(stored.thumbnailKey()).isNull();
  }

  @Test
  void what_is_not_what_it_says_is_refused() throws IOException {
    byte[] html = "<script>alert(1)</script>".getBytes(UTF_8);
    for (String type : List.of("image/png", "image/jpeg", "image/webp", "image/gif", "video/mp4")) {
      assertRefused("a", type, html, OutputRefused.Reason.TYPE_MISMATCH);
    }
    assertRefused("a", "text/plain", Pictures.png(5, 5), OutputRefused.Reason.TYPE_MISMATCH);
    assertRefused("a", "image/jpeg", Pictures.png(5, 5), OutputRefused.Reason.TYPE_MISMATCH);
    assertRefused("a", "image/png", new byte[0], OutputRefused.Reason.EMPTY);
    assertRefused("a", "text/plain", new byte[0], OutputRefused.Reason.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/x-sh", "nonsense", "image/png/../x", "text/javascript"})
  void a_type_that_is_not_stored_is_refused(String type) throws IOException {
    assertRefused("a", type, "echo".getBytes(UTF_8), OutputRefused.Reason.UNKNOWN_TYPE);
  }

  @Test
  void what_is_too_large_is_refused() throws IOException {
    outputs.discard(List.of(store("a", "text/plain", "a".repeat(MAX_BYTES).getBytes(UTF_8))));
    assertRefused(
        "a",
        "text/plain",
        "a".repeat(MAX_BYTES + 1).getBytes(UTF_8),
        OutputRefused.Reason.TOO_LARGE);
  }

  @Test
  void content_that_cannot_be_read_is_the_outputs_own_failure() throws IOException {
    Output broken =
        new Output(
            "a",
            "text/plain",
            out -> {
              out.write('a');
              throw new IOException("connection reset");
            });
    assertThatThrownBy(() -> outputs.store(broken, "acme", "j1", 1, PictureBudget.perCall("acme")))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("connection reset");
    assertThat(files()).isEmpty();
  }

  @Test
  void verification_sees_what_happened_since() throws IOException {
    StoredOutput stored = store("a", "text/plain", "abc".getBytes(UTF_8));
    Files.writeString(root.resolve(stored.key()), "abd");
    assertThat(outputs.verify(stored)).isEqualTo(ObjectCheck.WRONG_CHECKSUM);
    Files.writeString(root.resolve(stored.key()), "ab");
    assertThat(outputs.verify(stored)).isEqualTo(ObjectCheck.WRONG_SIZE);
    Files.delete(root.resolve(stored.key()));
    assertThat(outputs.verify(stored)).isEqualTo(ObjectCheck.MISSING);
  }

  @Test
  void discarding_outputs_takes_their_thumbnails_along_and_nothing_else() throws IOException {
    StoredOutput picture = store("a", "image/png", Pictures.png(10, 10));
    StoredOutput text = store("b", "text/plain", "b".getBytes(UTF_8));
    assertThat(files()).hasSize(3);
    outputs.discard(List.of(picture));
    assertThat(files()).containsExactly(root.resolve(text.key()));
  }

  private StoredOutput store(String name, String type, byte[] bytes) throws IOException {
    return outputs.store(
        new Output(name, type, out -> out.write(bytes)),
        "acme",
        "j1",
        2,
        PictureBudget.perCall("acme"));
  }

  private void assertRefused(String name, String type, byte[] bytes, OutputRefused.Reason reason)
      throws IOException {
    assertThatThrownBy(() -> store(name, type, bytes))
        .isInstanceOfSatisfying(
            OutputRefused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
    assertThat(files()).isEmpty();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
