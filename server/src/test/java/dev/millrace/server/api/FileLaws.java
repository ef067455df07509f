package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What holds for the files of users, wherever they are kept; each law has a user of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FileLaws {

  static final byte[] PHOTO = picture(400, 300);

  private static final String CATALOGUE =
      """
      workflow: portrait
      title: Portrait
      executor: worker
      properties:
        image: {type: file, media_types: [image/png], max_bytes: 250000}
        prompt: {type: string, default: x}
      required: [image]
      effects:
        - effect: portrait/plain
          title: Plain
          credits_cost: 1
      """;

  @TempDir static Path folder;

  private final AtomicInteger users = new AtomicInteger();
  private ServerRig rig;
  private Client client;

  /** Where files are kept, as settings of the server. */
  abstract List<String> store();

  @BeforeAll
  void start() throws IOException {
    Path catalogue = Files.createDirectory(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("portrait.yaml"), CATALOGUE);
    rig = ServerRig.start(folder, settings());
  }

  @BeforeEach
  void comeAsANewUser() {
    String user = "user-" + users.incrementAndGet();
    rig.credit(user, 100);
    client = rig.boundTo(user);
  }

  /** The server has another address when it was started again. */
  private void restart() {
    rig.restart(settings());
    client = rig.admin().with(client.key());
  }

  private String[] settings() {
    List<String> all = new ArrayList<>(store());
    all.add("CATALOGUE_DIR=" + folder.resolve("catalogue"));
    all.add("MAX_UPLOAD_BYTES=20000000");
    return all.toArray(String[]::new);
  }

  @AfterAll
  void stop() {
    rig.examine();
    rig.close();
  }

  @Test
  void a_file_is_brought_confirmed_listed_used_and_read_back() {
    JsonNode file = announce(client, "My photo.PNG", "image/png", PHOTO.length, null);
    assertThat(file.path("state").asString()).isEqualTo("pending");
    put(file, PHOTO).expect(200);

    Answer confirmed = confirm(client, file, PHOTO).expect(200);

    assertThat(confirmed.at("/name")).isEqualTo("My photo.png");
    assertThat(confirmed.at("/kind")).isEqualTo("input");
    assertThat(confirmed.json().path("job_id").isNull()).isTrue();
    assertThat(confirmed.json().path("width").asInt()).isEqualTo(400);
    assertThat(client.get(confirmed.at("/url")).expect(200).bytes()).isEqualTo(PHOTO);
    assertThat(client.get(confirmed.at("/thumbnail_url")).expect(200).bytes()).isNotEmpty();
    assertThat(library("")).containsExactly(id(file));
    client.asked("portrait/plain", image(id(file)));
  }

  @Test
  void a_large_file_with_its_checksum_bound_is_brought_too() {
    byte[] large = new byte[9_000_000];
    JsonNode file =
        announce(client, "large.bin", "application/octet-stream", large.length, sha256(large));
    byte[] other = large.clone();
    other[0] = 1;
    assertThat(put(file, other).status()).isEqualTo(400);
    put(file, large).expect(200);
    confirm(client, file, large).expect(200);
  }

  @Test
  void a_file_that_is_not_confirmed_is_nobodys() {
    JsonNode file = announce(client, "a.png", "image/png", PHOTO.length, null);
    put(file, PHOTO).expect(200);
    assertThat(client.get("/api/files/" + id(file)).status()).isEqualTo(404);
    assertThat(library("")).isEmpty();
    refusedAsInput(client, id(file), "not a file of this user");
  }

  @Test
  void a_confirmation_holds_against_what_is_really_there() {
    JsonNode file = announce(client, "a.png", "image/png", PHOTO.length, null);
    assertThat(confirm(client, file, PHOTO).expect(409).at("/code")).isEqualTo("upload_missing");
    put(file, PHOTO).expect(200);
    assertThat(confirm(client, file, new byte[PHOTO.length]).expect(422).at("/code"))
        .isEqualTo("upload_mismatch");
    assertThat(confirm(client, file, new byte[1]).expect(422).at("/code"))
        .isEqualTo("upload_mismatch");
    confirm(client, file, PHOTO).expect(200);
    confirm(client, file, PHOTO).expect(200);
    assertThat(confirm(client, file, new byte[PHOTO.length]).status()).isEqualTo(422);
  }

  @Test
  void what_is_not_of_the_announced_type_is_refused() {
    byte[] text = "<html>".getBytes(StandardCharsets.UTF_8);
    JsonNode file = announce(client, "a.png", "image/png", text.length, null);
    put(file, text).expect(200);
    assertThat(confirm(client, file, text).expect(422).at("/detail")).contains("media type");
    JsonNode other = announce(client, "a.png", "image/png", PHOTO.length, null);
    Answer wrong =
        client.send(
            "PUT",
            other.at("/upload/url").asString(),
            BodyPublishers.ofByteArray(PHOTO),
            "Content-Type",
            "text/html");
    assertThat(wrong.status()).isEqualTo(403);
  }

  @Test
  void what_was_put_once_can_not_be_changed_by_the_same_url() {
    JsonNode file = announce(client, "a.png", "image/png", PHOTO.length, null);
    put(file, PHOTO).expect(200);
    Answer confirmed = confirm(client, file, PHOTO).expect(200);
    assertThat(put(file, new byte[PHOTO.length]).status()).isEqualTo(412);
    assertThat(client.get(confirmed.at("/url")).expect(200).bytes()).isEqualTo(PHOTO);
  }

  @Test
  void a_file_of_somebody_else_is_a_missing_file() {
    Client ada = rig.boundTo("ada");
    Client bob = rig.boundTo("bob");
    rig.credit("bob", 10);
    JsonNode waiting = announce(ada, "a.png", "image/png", PHOTO.length, null);
    String ready = brought(ada, PHOTO);
    for (String id : List.of(id(waiting), ready, UUID.randomUUID().toString())) {
      assertThat(bob.get("/api/files/" + id).status()).isEqualTo(404);
      assertThat(bob.delete("/api/files/" + id).status()).isEqualTo(404);
      assertThat(confirm(bob, id, PHOTO).status()).isEqualTo(404);
      refusedAsInput(bob, id, "not a file of this user");
    }
    assertThat(bob.get("/api/files").expect(200).json().path("items")).isEmpty();
    ada.get("/api/files/" + ready).expect(200);
  }

  @Test
  void a_property_says_which_files_it_takes() {
    byte[] text = "hello".getBytes(StandardCharsets.UTF_8);
    JsonNode file = announce(client, "a.txt", "text/plain", text.length, null);
    put(file, text).expect(200);
    confirm(client, file, text).expect(200);
    refusedAsInput(client, id(file), "must be a file of type image/png, not text/plain");
    refusedAsInput(client, brought(client, noise()), "must be a file of at most 250000 bytes");
    refusedAsInput(client, "no-id", "must be a valid uuid");
  }

  @Test
  void what_a_job_made_can_be_the_input_of_the_next() {
    String made = client.submitted();
    Answer done = client.awaitJob(made, "completed");
    client.asked("portrait/plain", image(done.at("/outputs/0/id")));
    assertThat(library("&kind=output")).containsExactly(done.at("/outputs/0/id"));
    assertThat(library("&kind=input")).isEmpty();
    assertThat(client.get("/api/files?kind=all").status()).isEqualTo(422);
  }

  @Test
  void a_library_is_read_in_pages() {
    List<String> brought = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      brought.addFirst(brought(client, PHOTO));
    }
    Answer first = client.get("/api/files?limit=2&kind=input").expect(200);
    Answer second =
        client.get("/api/files?limit=3&kind=input&cursor=" + first.at("/next_cursor")).expect(200);
    List<String> seen = new ArrayList<>(ids(first));
    seen.addAll(ids(second));
    assertThat(seen).isEqualTo(brought);
  }

  @Test
  void a_deleted_file_is_gone_with_its_bytes() {
    String id = brought(client, PHOTO);
    String url = client.get("/api/files/" + id).expect(200).at("/url");

    Answer deleted = client.delete("/api/files/" + id).expect(200);

    assertThat(deleted.json().path("removed").asBoolean()).isTrue();
    assertThat(client.get("/api/files/" + id).status()).isEqualTo(404);
    assertThat(client.delete("/api/files/" + id).status()).isEqualTo(404);
    assertThat(client.get(url).status()).isEqualTo(404);
    assertThat(rig.ask("select name from file where erased_at is not null and id = '" + id + "'"))
        .isEqualTo("deleted");
    refusedAsInput(client, id, "not a file of this user");
  }

  @Test
  void a_file_that_a_live_job_uses_can_not_be_deleted() {
    String id = brought(client, PHOTO);
    String job = client.asked("portrait/plain", image(id.toUpperCase(Locale.ROOT)));
    assertThat(client.delete("/api/files/" + id).expect(409).at("/code")).isEqualTo("file_in_use");
    client.post("/api/jobs/" + job + "/cancel", "").expect(200);
    client.delete("/api/files/" + id).expect(200);
  }

  @Test
  void what_was_never_confirmed_is_thrown_away() {
    JsonNode abandoned = announce(client, "a.png", "image/png", PHOTO.length, null);
    put(abandoned, PHOTO).expect(200);
    JsonNode young = announce(client, "b.png", "image/png", PHOTO.length, null);
    put(young, PHOTO).expect(200);
    rig.database()
        .execute(
            "update file set expires_at = clock_timestamp() - interval '2 hours' where id = '%s'"
                .formatted(id(abandoned)));
    restart();
    String given = "select count(*) from file where id = '%s' and ".formatted(id(abandoned));
    await().until(() -> rig.ask(given + "deleted_at is not null").equals("1"));
    assertThat(confirm(client, abandoned, PHOTO).status()).isEqualTo(404);
    // The bytes go a minute later; here the minute passes by hand.
    rig.database()
        .execute(
            "update file set deleted_at = deleted_at - interval '2 minutes' where deleted_at is not null");
    restart();
    await().until(() -> rig.ask(given + "erased_at is not null").equals("1"));
    confirm(client, young, PHOTO).expect(200);
  }

  ServerRig rig() {
    return rig;
  }

  private void refusedAsInput(Client who, String id, String why) {
    Answer refused =
        who.post("/api/jobs", "{\"effect\":\"portrait/plain\",\"input\":{%s}}".formatted(image(id)))
            .expect(422);
    assertThat(refused.text()).contains("/input/image", why);
  }

  private List<String> library(String more) {
    return ids(client.get("/api/files?limit=50" + more).expect(200));
  }

  private static List<String> ids(Answer page) {
    return page.json().path("items").values().stream().map(FileLaws::id).toList();
  }

  private static String id(JsonNode file) {
    return file.path("id").asString();
  }

  private static String image(String id) {
    return "\"image\":\"%s\"".formatted(id);
  }

  private String brought(Client who, byte[] bytes) {
    JsonNode file = announce(who, "a.png", "image/png", bytes.length, null);
    put(file, bytes).expect(200);
    return confirm(who, file, bytes).expect(200).at("/id");
  }

  private static JsonNode announce(
      Client who, String name, String type, long size, @Nullable String sha256) {
    return who.post(
            "/api/files",
            "{\"name\":\"%s\",\"media_type\":\"%s\",\"size\":%d,\"sha256\":%s}"
                .formatted(name, type, size, sha256 == null ? "null" : "\"" + sha256 + "\""))
        .expect(201)
        .json();
  }

  private Answer put(JsonNode file, byte[] bytes) {
    return client.putTo(file.path("upload"), bytes);
  }

  private static Answer confirm(Client who, JsonNode file, byte[] bytes) {
    return confirm(who, id(file), bytes);
  }

  private static Answer confirm(Client who, String id, byte[] bytes) {
    return who.post(
        "/api/files/" + id + "/confirm",
        "{\"size\":%d,\"sha256\":\"%s\"}".formatted(bytes.length, sha256(bytes)));
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** A picture that no compression makes small. */
  private static byte[] noise() {
    BufferedImage image = new BufferedImage(300, 300, BufferedImage.TYPE_INT_RGB);
    Random random = new Random(7);
    for (int i = 0; i < 90_000; i++) {
      image.setRGB(i % 300, i / 300, random.nextInt());
    }
    return png(image);
  }

  static byte[] picture(int width, int height) {
    return png(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB));
  }

  private static byte[] png(BufferedImage image) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ImageIO.write(image, "png", out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
