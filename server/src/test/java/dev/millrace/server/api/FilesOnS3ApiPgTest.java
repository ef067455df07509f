package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.StartupException;
import dev.millrace.server.objects.S3Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files in an S3-compatible store, which serves them itself. */
class FilesOnS3ApiPgTest extends FileLaws {

  @SuppressWarnings("NullAway.Init")
  private S3Rig rig;

  @BeforeEach
  @Override
  void start() throws IOException {
    try {
      rig = S3Rig.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    super.start();
  }

  @AfterEach
  @Override
  void stop() {
    super.stop();
    rig.close();
  }

  @Override
  List<String> store() {
    return store("MILLRACE_TEST", S3Rig.SECRET);
  }

  private List<String> store(String prefix, String secret) {
    return List.of(
        "S3_BUCKET=" + S3Rig.BUCKET,
        "S3_ENDPOINT=" + rig.endpoint(),
        "S3_REGION=" + S3Rig.REGION,
        "S3_PATH_STYLE=true",
        "S3_PREFIX=" + prefix,
        "S3_ACCESS_KEY_ID=" + S3Rig.KEY_ID,
        "S3_SECRET_ACCESS_KEY=" + secret);
  }

  @Test
  void nothing_is_kept_in_the_data_folder() throws IOException {
    mill().admin().awaitJob(mill().admin().submitted(), "completed");
    assertThat(folder.resolve("data/objects")).doesNotExist();
  }

  @Test
  void a_server_without_its_store_says_so_and_goes_on() {
    assertThat(mill().withoutKey().get("/readyz").expect(200).text()).isEqualTo("ready\n");
    rig.close();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() ->
            mill()
                .withoutKey()
                .get("/readyz")
                .expect(200)
                .text()
                .equals("ready, but not for files\n"));
  }

  @Test
  void what_needs_the_store_is_refused_for_now_while_it_is_away() {
    Client client = mill().admin();
    Answer announced =
        client
            .post("/api/files", "{\"name\":\"a.txt\",\"media_type\":\"text/plain\",\"size\":1}")
            .expect(201);
    rig.close();
    client
        .post(
            "/api/files/" + announced.at("/id") + "/confirm",
            "{\"size\":1,\"sha256\":\"%s\"}".formatted(sha256(new byte[1])))
        .problem(503, "files_unavailable");
    Answer deleted = client.delete("/api/files/" + announced.at("/id")).expect(200);
    assertThat(deleted.json().path("removed").asBoolean()).isFalse();
  }

  @Test
  void a_server_does_not_start_with_a_wrong_key_or_a_missing_bucket() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    assertThatThrownBy(
            () -> Mill.start(other, store("x", "wrong-secret").toArray(String[]::new)).close())
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("Files can't be kept")
        .hasMessageContaining("refused")
        .hasMessageNotContaining("wrong-secret");
    List<String> missing =
        store("x", S3Rig.SECRET).stream()
            .map(setting -> setting.startsWith("S3_BUCKET") ? "S3_BUCKET=nowhere" : setting)
            .toList();
    assertThatThrownBy(() -> Mill.start(other, missing.toArray(String[]::new)).close())
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("nowhere")
        .hasMessageContaining("does not exist");
  }
}
