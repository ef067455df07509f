package dev.millrace.web.api.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.postgres.Database;
import dev.millrace.service.files.TextObjectStore;
import dev.millrace.storage.MediaType;
import dev.millrace.storage.ObjectCheck;
import dev.millrace.storage.ObjectKeys;
import dev.millrace.storage.ObjectStore;
import dev.millrace.storage.ObjectStoreException;
import dev.millrace.storage.ObjectStream;
import dev.millrace.storage.SignedUrl;
import dev.millrace.storage.local.LocalObjectStore;
import dev.millrace.storage.url.SigningKeys;
import dev.millrace.storage.url.UrlSigner;
import dev.millrace.testkit.TestDatabase;
import dev.millrace.web.http.HttpSettings;
import dev.millrace.web.http.server.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small texts are in the database, files are in the store behind, and nobody sees a difference. */
class WithTextsPgTest {

  private static final UrlSigner SIGNER = new UrlSigner(SigningKeys.of(new byte[32]));
  private static final String JOB = "0198c0de-0000-7000-8000-000000000001";
  private static final MediaType TEXT = MediaType.of("text/plain").orElseThrow();
  private static final MediaType PNG = MediaType.of("image/png").orElseThrow();

  @TempDir Path folder;
  private TestDatabase place;
  private Database database;
  private ObjectStore store;

  @BeforeEach
  void open() {
    place = TestDatabase.create();
    database =
        Database.open(new Database.Access(place.jdbcUrl(), place.user(), place.password(), 6));
    InstantSource clock = InstantSource.system();
    store =
        new TextObjectStore(
            new LocalObjectStore(folder, SIGNER, clock), database.texts(), SIGNER, clock);
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
    place.close();
  }

  private static String text(int attempt) {
    return ObjectKeys.text("default", JOB, attempt, UUID.randomUUID(), TEXT);
  }

  private static String picture(int attempt) {
    return ObjectKeys.output("default", JOB, attempt, UUID.randomUUID(), PNG);
  }

  /** As somebody else puts it: a text is in the database, where a report's commit left it. */
  private void put(String key, String words) throws IOException {
    if (ObjectKeys.isText(key)) {
      place.execute("insert into text_output values ('%s', '%s')".formatted(key, words));
    } else {
      store.put(key, "text/plain", out -> out.write(words.getBytes(UTF_8)), 1_000);
    }
  }

  private String read(String key, long offset, long length) throws IOException {
    try (ObjectStream stream = store.open(key, offset, length).orElseThrow()) {
      return new String(stream.stream().readAllBytes(), UTF_8);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void a_text_can_be_read_back_and_is_no_file() throws IOException {
    String key = text(1);
    put(key, "a lighthouse");
    String sha256 = Sha256.hex("a lighthouse");

    assertThat(read(key, 0, Long.MAX_VALUE)).isEqualTo("a lighthouse");
    assertThat(read(key, 2, 5)).isEqualTo("light");
    assertThat(read(key, 90, 5)).isEmpty();
    assertThat(store.size(key)).hasValue(12);
    assertThat(store.verify(key, 12, sha256)).isEqualTo(ObjectCheck.INTACT);
    assertThat(store.verify(key, 11, sha256)).isEqualTo(ObjectCheck.WRONG_SIZE);
    assertThat(store.verify(key, 12, "0".repeat(64))).isEqualTo(ObjectCheck.WRONG_CHECKSUM);
    assertThat(store.verify(text(1), 12, sha256)).isEqualTo(ObjectCheck.MISSING);
    assertThat(files()).isEmpty();
  }

  @Test
  void a_picture_is_a_file() throws IOException {
    String key = picture(1);
    put(key, "no text");
    assertThat(files()).containsExactly(folder.toRealPath().resolve(key));
    assertThat(read(key, 0, Long.MAX_VALUE)).isEqualTo("no text");
  }

  @Test
  void nobody_stores_a_text_apart_from_its_report() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.put(text(1), "text/plain", out -> out.write('x'), 1_000));
  }

  @Test
  void what_an_attempt_brought_is_listed_and_deleted_together() throws IOException {
    List<String> first = Stream.of(text(1), picture(1), text(1)).sorted().toList();
    String second = text(2);
    String tenth = text(10);
    for (String key : first) {
      put(key, "one");
    }
    put(second, "two");
    put(tenth, "ten");
    String attempt = ObjectKeys.attemptPrefix("default", JOB, 1);

    assertThat(store.list(attempt, 10)).isEqualTo(first);
    assertThat(store.list(attempt, 2)).isEqualTo(first.subList(0, 2));
    assertThat(store.deletePrefix(attempt)).isEqualTo(3);
    assertThat(store.list(ObjectKeys.jobPrefix("default", JOB), 10))
        .containsExactlyInAnyOrder(second, tenth);
    assertThat(store.delete(second)).isTrue();
    assertThat(store.delete(second)).isFalse();
  }

  @Test
  void a_text_has_a_url_that_this_server_serves() throws Exception {
    String key = text(1);
    put(key, "a lighthouse");
    SignedUrl url = store.signedGet(key, "text/plain", "words.txt", Duration.ofMinutes(1));
    ObjectRoutes routes = new ObjectRoutes(store, SIGNER, InstantSource.system(), 1 << 20);
    try (HttpServer server =
            new HttpServer(HttpSettings.on("127.0.0.1", 0), routes.routes()).start();
        HttpClient client = HttpClient.newHttpClient()) {
      URI uri = url.under(URI.create("http://127.0.0.1:" + server.port()));
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("a lighthouse");
    }
  }

  @Test
  void what_is_no_key_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> store.size("text-../../etc/passwd"));
    assertThatIllegalArgumentException().isThrownBy(() -> store.list("text-", 1));
  }

  @Test
  void a_database_that_is_away_is_a_store_that_is_away() {
    String key = text(1);
    database.close();
    assertThatThrownBy(() -> store.size(key)).isInstanceOf(ObjectStoreException.class);
  }
}
