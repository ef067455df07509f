package dev.millrace.web.api.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.millrace.storage.DurableFiles;
import dev.millrace.storage.Hostile;
import dev.millrace.storage.MeasuredOutput;
import dev.millrace.storage.ObjectCheck;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreConformanceTest;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.Requests;
import dev.millrace.storage.SignedUrl;
import dev.millrace.storage.StoredObject;
import dev.millrace.storage.local.LocalObjectStore;
import dev.millrace.storage.url.ObjectRequest;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import dev.millrace.storage.url.UrlVerdict;
import dev.millrace.web.http.HttpSettings;
import dev.millrace.web.http.server.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalObjectStoreTest extends ObjectStoreConformanceTest {

  private static final UrlSigner SIGNER = new UrlSigner(SigningKeys.of(new byte[32]));
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.250Z");

  /** The store's clock stands still; that of who serves its URLs goes on from there. */
  private final InstantSource clock =
      InstantSource.offset(InstantSource.system(), Duration.between(Instant.now(), NOW));

  @TempDir Path folder;
  private Path root;
  private LocalObjectStore store;
  private HttpServer server;

  @BeforeEach
  void openStore() {
    root = folder.resolve("data/objects");
    store = open(root);
    server =
        new HttpServer(
                HttpSettings.on("127.0.0.1", 0),
                new ObjectRoutes(store, SIGNER, clock, 8 << 20).routes())
            .start();
  }

  @AfterEach
  void closeServer() {
    server.close();
  }

  @Override
  protected Instant now() {
    return clock.instant();
  }

  @Override
  protected URI server() {
    return URI.create("http://127.0.0.1:" + server.port());
  }

  @Override
  protected ObjectStore store() {
    return store;
  }

  @Override
  protected List<String> unfinished() throws IOException {
    try (Stream<Path> all = Files.walk(root.resolve(".unfinished/parts"))) {
      return all.skip(1).map(Path::toString).toList();
    }
  }

  @Test
  void a_failed_write_leaves_no_file_behind() throws IOException {
    assertThatThrownBy(() ->
            store.put(
                newKey(),
                "image/png",
                out -> {
                  out.write(new byte[100]);
                  throw new IOException("source failed");
                },
                1000))
        .hasMessage("source failed");
    assertThat(files()).isEmpty();
  }

  @Test
  void a_finished_write_leaves_only_the_object() throws IOException {
    String key = newKey();
    put(key);
    assertThat(files()).containsExactly(root.resolve(key));
  }

  @Test
  void only_the_owner_can_read_objects() throws IOException {
    String key = newKey();
    put(key);
    assertThat(permissions(root.resolve(key))).isEqualTo("rw-------");
    assertThat(permissions(DurableFiles.directoryOf(root.resolve(key)))).isEqualTo("rwx------");
    assertThat(permissions(root)).isEqualTo("rwx------");
  }

  @Test
  void only_old_unfinished_files_are_cleaned_up_at_start() throws IOException {
    Path old = root.resolve(".unfinished/old.part");
    Path young = root.resolve(".unfinished/young.part");
    for (Path file : List.of(old, young)) {
      Files.writeString(file, "half");
    }
    Files.setLastModifiedTime(old, FileTime.from(NOW.minus(Duration.ofHours(25))));
    Files.setLastModifiedTime(young, FileTime.from(NOW.minus(Duration.ofHours(23))));
    String key = newKey();
    put(key);
    Files.setLastModifiedTime(root.resolve(key), FileTime.from(NOW.minus(Duration.ofDays(99))));

    open(root);

    assertThat(files()).containsExactlyInAnyOrder(young, root.resolve(key));
  }

  @Test
  void objects_outlive_the_process() throws IOException {
    String key = newKey();
    put(key);
    assertThat(open(root).size(key)).hasValue(3);
  }

  @Test
  void a_changed_byte_is_noticed() throws IOException {
    String key = newKey();
    StoredObject stored = put(key);
    Files.write(root.resolve(key), new byte[] {1, 2, 4});
    assertThat(store.verify(key, stored.size(), stored.sha256()))
        .isEqualTo(ObjectCheck.WRONG_CHECKSUM);
  }

  @Test
  void a_link_to_a_file_outside_is_not_followed() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret.txt"), "secret");
    String key = newKey();
    Files.createDirectories(DurableFiles.directoryOf(root.resolve(key)));
    Files.createSymbolicLink(root.resolve(key), secret);
    assertRefused(key);
    assertThat(secret).hasContent("secret");
  }

  @Test
  void a_link_to_a_directory_outside_is_not_followed() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    String key = Hostile.GOOD;
    Path file = outside.resolve(Path.of(key).getFileName());
    Files.writeString(file, "secret");
    Files.createDirectories(root.resolve("tenants/acme/jobs/j1"));
    Files.createSymbolicLink(root.resolve("tenants/acme/jobs/j1/attempt-1"), outside);
    assertRefused(key);
    assertThatThrownBy(() -> store.list(ObjectKeys.attemptPrefix("acme", "j1", 1), 9))
        .hasMessageContaining("symbolic link");
    assertThat(store.list(ObjectKeys.jobPrefix("acme", "j1"), 9)).isEmpty();

    assertThat(store.deletePrefix(ObjectKeys.jobPrefix("acme", "j1"))).isZero();

    assertThat(file).hasContent("secret");
    assertThat(root.resolve("tenants/acme/jobs/j1")).doesNotExist();
  }

  @Test
  void the_root_itself_may_be_a_link() throws IOException {
    Path real = Files.createDirectory(folder.resolve("disk"));
    LocalObjectStore linked = open(Files.createSymbolicLink(folder.resolve("link"), real));
    String key = newKey();
    linked.put(key, "image/png", new ByteArrayInputStream(new byte[3]), 3);
    assertThat(real.resolve(key)).exists();
  }

  @Test
  void a_root_that_cannot_be_is_told_plainly() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> open(file.resolve("objects")))
        .isInstanceOf(ObjectStoreException.class)
        .hasMessageContaining("could not open the object store at " + file.resolve("objects"));
  }

  @Test
  void a_broken_disk_is_the_stores_failure_and_not_the_writers() throws IOException {
    Path blocked = root.resolve("tenants");
    Files.writeString(blocked, "a file where a directory should be");
    assertThatThrownBy(() -> put(newKey()))
        .isExactlyInstanceOf(ObjectStoreException.class)
        .hasMessageContaining("could not store");
  }

  @Test
  void a_full_disk_is_told_apart() throws IOException {
    Path full = Path.of("/dev/full");
    assumeThat(full).exists();
    try (OutputStream out = Files.newOutputStream(full)) {
      MeasuredOutput measured = new MeasuredOutput("key", out, 100);
      assertThatThrownBy(() -> measured.write(new byte[10]))
          .isInstanceOf(ObjectStoreException.Full.class)
          .hasMessageContaining("the object store is full");
      assertThatThrownBy(() -> measured.finish("image/png"))
          .isInstanceOf(ObjectStoreException.Full.class);
    }
  }

  @Test
  void its_urls_are_verified_by_its_signer_until_they_expire() {
    String key = newKey();
    SignedUrl url = store.signedGet(key, "image/png", "a b.png", Duration.ofMinutes(1));
    ObjectRequest request = Requests.get(url);
    assertThat(SIGNER.verify(request, NOW.plusSeconds(60)))
        .isEqualTo(new UrlVerdict.Granted("GET", key, "image/png", "a b.png", -1, null));
    assertThat(SIGNER.verify(request, NOW.plusSeconds(61))).isInstanceOf(UrlVerdict.Expired.class);
    assertThat(url.under(URI.create("https://example.org/mill/")).toString())
        .startsWith("https://example.org/mill/objects/tenants/");
    assertThat(url.under(URI.create("https://example.org")).toString())
        .startsWith("https://example.org/objects/tenants/");
  }

  private void assertRefused(String key) {
    assertThatThrownBy(() -> store.open(key)).hasMessageContaining("symbolic link");
    assertThatThrownBy(() -> store.size(key)).hasMessageContaining("symbolic link");
    assertThatThrownBy(() -> store.stat(key)).hasMessageContaining("symbolic link");
    assertThatThrownBy(() -> store.delete(key)).hasMessageContaining("symbolic link");
    assertThatThrownBy(() -> put(key)).hasMessageContaining("symbolic link");
  }

  private StoredObject put(String key) throws IOException {
    return store.put(key, "image/png", new ByteArrayInputStream(new byte[] {1, 2, 3}), 3);
  }

  private static LocalObjectStore open(Path root) {
    return new LocalObjectStore(root, SIGNER, InstantSource.fixed(NOW));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
