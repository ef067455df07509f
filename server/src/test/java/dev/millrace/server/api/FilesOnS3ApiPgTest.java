package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.StartupException;
import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.storage.s3.S3Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Files in an S3-compatible store, which serves them itself. */
class FilesOnS3ApiPgTest extends FileLaws {

  private final S3Rig rig = S3Rig.open();

  @AfterAll
  @Override
  void stop() {
    super.stop();
    rig.close();
  }

  @Override
  List<String> store() {
    return rig.settings("MILLRACE_TEST");
  }

  @Test
  void nothing_is_kept_in_the_data_folder() throws IOException {
    rig().admin().awaitJob(rig().admin().submitted(), "completed");
    assertThat(folder.resolve("data/objects")).doesNotExist();
  }

  @Test
  void a_server_without_its_store_says_so_refuses_what_needs_it_and_goes_on() throws IOException {
    Path place = Files.createDirectory(folder.resolve("alone"));
    S3Rig doomed = S3Rig.open();
    try (ServerRig alone = ServerRig.start(place, doomed.settings("").toArray(String[]::new))) {
      Client client = alone.admin();
      assertThat(alone.withoutKey().get("/readyz").expect(200).text()).isEqualTo("ready\n");
      Answer announced =
          client
              .post("/api/files", "{\"name\":\"a.txt\",\"media_type\":\"text/plain\",\"size\":1}")
              .expect(201);
      doomed.close();
      await()
          .until(() ->
              alone
                  .withoutKey()
                  .get("/readyz")
                  .expect(200)
                  .text()
                  .equals("ready, but not for files\n"));
      client
          .post(
              "/api/files/" + announced.at("/id") + "/confirm",
              "{\"size\":1,\"sha256\":\"%s\"}".formatted(sha256(new byte[1])))
          .problem(503, "files_unavailable");
      Answer deleted = client.delete("/api/files/" + announced.at("/id")).expect(200);
      assertThat(deleted.json().path("removed").asBoolean()).isFalse();
    }
  }

  @Test
  void a_server_does_not_start_with_a_wrong_key_or_a_missing_bucket() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    assertThatThrownBy(() -> startWith(other, "S3_SECRET_ACCESS_KEY=wrong-secret"))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("Files can't be kept")
        .hasMessageContaining("refused")
        .hasMessageNotContaining("wrong-secret");
    assertThatThrownBy(() -> startWith(other, "S3_BUCKET=nowhere"))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("nowhere")
        .hasMessageContaining("does not exist");
  }

  /** With one setting changed. */
  private void startWith(Path place, String changed) {
    String name = changed.substring(0, changed.indexOf('=') + 1);
    String[] settings =
        rig.settings("x").stream()
            .map(setting -> setting.startsWith(name) ? changed : setting)
            .toArray(String[]::new);
    ServerRig.start(place, settings).close();
  }
}
