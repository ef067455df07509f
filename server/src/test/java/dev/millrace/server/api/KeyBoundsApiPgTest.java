package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What keys are bound to: scopes, effects, a workspace, an end; and how one takes another's place.
 */
class KeyBoundsApiPgTest {

  private static final String KEYS = "/api/admin/keys";

  @TempDir static Path folder;
  private static ServerRig rig;
  private static Client admin;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder);
    admin = rig.as("admin");
    rig.credit("default", 100);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static Client key(String more) {
    return admin.with(made(more).at("/secret"));
  }

  private static Answer made(String more) {
    return admin.post(KEYS, "{\"name\":\"bound\",%s}".formatted(more)).expect(201);
  }

  @Test
  void a_key_does_what_its_scopes_say_and_nothing_else() {
    Client reader = key("\"role\":\"user\",\"scopes\":[\"jobs:read\"]");
    reader.get("/api/jobs").expect(200);
    reader.post("/api/jobs", Client.draft()).problem(403, "forbidden");
    reader.get("/api/wallet").problem(403, "forbidden");
    reader.post("/api/console/links", "{}").problem(403, "forbidden");
    assertThat(reader.get("/api/whoami").json().path("scopes").toString())
        .isEqualTo("[\"jobs:read\"]");
  }

  @Test
  void nobody_gives_away_more_than_they_have() {
    admin.post(KEYS, "{\"name\":\"up\",\"role\":\"operator\"}").problem(403, "forbidden");
    Client keeper = key("\"role\":\"admin\",\"scopes\":[\"keys:read\",\"keys:write\"]");
    keeper.post(KEYS, "{\"name\":\"wide\",\"role\":\"admin\"}").problem(403, "forbidden");
    keeper
        .post(KEYS, "{\"name\":\"as wide\",\"role\":\"admin\",\"scopes\":[\"keys:read\"]}")
        .expect(201);
    String own = made("\"role\":\"admin\"").at("/id");
    keeper.post(KEYS + "/" + own + "/rotate", "{}").problem(403, "forbidden");
    for (String wrong :
        List.of("\"scopes\":[\"fleet:read\"]", "\"scopes\":[\"nothing\"]", "\"scopes\":[]")) {
      Answer refused = admin.post(KEYS, "{\"name\":\"x\",\"role\":\"user\",%s}".formatted(wrong));
      assertThat(refused.problem(422, "invalid_request").wrongPaths()).contains("/scopes");
    }
  }

  @Test
  void a_key_for_some_effects_asks_for_no_other() {
    Client poster = key("\"role\":\"user\",\"effects\":[\"sketch/poster\"]");
    assertThat(poster.get("/api/effects").json().path("items").size()).isEqualTo(1);
    poster.get("/api/effects/sketch/draft").problem(404, "not_found");
    assertThat(
            poster.post("/api/jobs", Client.draft()).problem(422, "invalid_request").wrongPaths())
        .contains("/effect");
    poster
        .post("/api/batches", "{\"jobs\":[%s]}".formatted(Client.draft()))
        .problem(422, "batch_refused");
  }

  @Test
  void a_key_of_a_workspace_knows_its_jobs_and_files_only() {
    Client blue = key("\"role\":\"user\",\"workspace\":\"blue\"");
    Client any = rig.as("user");
    String inBlue = blue.submitted();
    String inNone = any.submitted();
    String red = Client.draft().replace("\"effect\"", "\"workspace\":\"red\",\"effect\"");
    String inRed = any.post("/api/jobs", red).expect(201).at("/id");
    for (String job : List.of(inBlue, inNone, inRed)) {
      any.awaitJob(job, "completed");
    }
    assertThat(blue.get("/api/jobs").json().findValuesAsString("id")).contains(inBlue);
    assertThat(blue.get("/api/jobs").text()).doesNotContain(inNone).doesNotContain(inRed);
    assertThat(any.get("/api/jobs?workspace=red").text()).contains(inRed).doesNotContain(inBlue);
    for (String path : List.of("", "/events", "/stream", "/receipt", "/why")) {
      blue.get("/api/jobs/" + inRed + path).problem(404, "not_found");
    }
    blue.post("/api/jobs/" + inRed + "/cancel", "").problem(404, "not_found");
    blue.post("/api/jobs", red).problem(403, "forbidden");

    String ofRed = any.get("/api/jobs/" + inRed).at("/outputs/0/id");
    String ofBlue = any.get("/api/jobs/" + inBlue).at("/outputs/0/id");
    blue.get("/api/files/" + ofRed).problem(404, "not_found");
    blue.get("/api/files/" + ofBlue).expect(200);
    assertThat(blue.get("/api/files").text()).contains(ofBlue).doesNotContain(ofRed);
    blue.delete("/api/files/" + ofRed).problem(404, "not_found");

    String batch =
        any.post("/api/batches", "{\"workspace\":\"red\",\"jobs\":[%s]}".formatted(Client.draft()))
            .expect(201)
            .at("/id");
    blue.get("/api/batches/" + batch).problem(404, "not_found");
    assertThat(blue.get("/api/batches").text()).doesNotContain(batch);
    assertThat(any.get("/api/batches/" + batch).at("/workspace")).isEqualTo("red");

    admin
        .post(KEYS, "{\"name\":\"x\",\"role\":\"admin\",\"workspace\":\"blue\"}")
        .problem(422, "invalid_request");
  }

  @Test
  void a_retry_stays_in_its_workspace() {
    Client blue = key("\"role\":\"user\",\"workspace\":\"blue\"");
    String job = blue.submitted("\"fail\":\"permanent\"");
    blue.awaitJob(job, "failed");
    String again = blue.post("/api/jobs/" + job + "/retry", "{}").expect(201).at("/id");
    assertThat(blue.get("/api/jobs/" + again).at("/workspace")).isEqualTo("blue");
  }

  @Test
  void a_key_ends_by_itself() {
    Client brief =
        key("\"role\":\"user\",\"ends_at\":\"%s\"".formatted(Instant.now().plusSeconds(2)));
    await().until(() -> brief.get("/api/whoami").status() == 401);
    brief.get("/api/whoami").problem(401, "unauthenticated");
  }

  @Test
  void a_rotated_key_works_on_for_a_while_and_is_rotated_once() {
    Answer old = made("\"role\":\"user\",\"workspace\":\"blue\",\"scopes\":[\"jobs:read\"]");
    String path = KEYS + "/" + old.at("/id") + "/rotate";
    Answer next = admin.post(path, "{\"overlap_seconds\":3600}").expect(201);
    assertThat(next.at("/workspace")).isEqualTo("blue");
    Client before = admin.with(old.at("/secret"));
    Client after = admin.with(next.at("/secret"));
    before.get("/api/jobs").expect(200);
    after.get("/api/jobs").expect(200);
    after.get("/api/wallet").problem(403, "forbidden");
    admin.post(path, "{}").problem(404, "not_found");

    String again = KEYS + "/" + next.at("/id") + "/rotate";
    admin.post(again, "{\"overlap_seconds\":0}").expect(201);
    await().until(() -> after.get("/api/jobs").status() == 401);
    before.get("/api/jobs").expect(200);
  }
}
