package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever submits is told of the job what a look at it would tell. */
class SubmitAnswerApiPgTest {

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client client;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder);
    client = rig.admin();
    client.post("/api/admin/effects/sketch/draft/pause", "").expect(200);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static void is_what_a_look_shows(Answer submitted) {
    String id = submitted.at("/id");
    assertThat(submitted.header("location")).contains("/api/jobs/" + id);
    assertThat(submitted.json()).isEqualTo(client.get("/api/jobs/" + id).expect(200).json());
  }

  @Test
  void a_job_that_waits_is_answered_as_it_is() {
    Answer submitted = client.post("/api/jobs", Client.draft("\"seed\":7")).expect(201);
    assertThat(submitted.at("/state")).isEqualTo("queued");
    is_what_a_look_shows(submitted);
  }

  @Test
  void a_job_for_later_is_answered_with_the_time_that_is_stored() {
    String later = Instant.now().plusSeconds(3600).toString().replaceFirst("\\..*Z|Z$", "");
    String body = Client.draft().replace("{\"effect", "{\"run_at\":\"%s\",\"effect");
    Answer submitted = client.post("/api/jobs", body.formatted(later + ".123456789Z")).expect(201);
    assertThat(submitted.at("/run_at")).endsWith(".123456Z");
    is_what_a_look_shows(submitted);
  }

  @Test
  void a_job_that_is_done_again_is_answered_with_where_it_comes_from() {
    String first = client.post("/api/jobs", Client.draft()).expect(201).at("/id");
    client.post("/api/jobs/" + first + "/cancel", "").expect(200);
    Answer again = client.post("/api/jobs/" + first + "/retry", "").expect(201);
    assertThat(again.at("/retry_of")).isEqualTo(first);
    is_what_a_look_shows(again);
  }
}
