package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is on offer changes while the server runs. */
class CatalogueApiPgTest {

  private static final String WALLPAPER =
      """
      effects_of: sketch
      effects:
        - effect: sketch/wallpaper
          title: Wallpaper
          credits_cost: 3
          fixed: {variants: 1, width: 512, height: 256}
      """;

  @TempDir Path folder;
  private ServerRig rig;
  private Client client;
  private Path file;

  @BeforeEach
  void start() throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    file = catalogue.resolve("wallpaper.yaml");
    rig = ServerRig.start(folder, "CATALOGUE_DIR=" + catalogue, "WELCOME_CREDITS=100");
    client = rig.admin();
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private Answer reload() {
    return client.post("/api/admin/catalogue/reload", "");
  }

  @Test
  void the_built_in_effects_tell_their_inputs_and_prices() {
    JsonNode effects = client.get("/api/effects").expect(200).json().path("items");
    JsonNode poster = client.get("/api/effects/sketch/poster").expect(200).json();

    assertThat(effects.values()).contains(poster);
    assertThat(poster.path("credits_cost").asInt()).isEqualTo(5);
    assertThat(poster.path("price").toString()).isEqualTo("{\"per\":\"job\"}");
    assertThat(poster.path("follow_up").isNull()).isTrue();
    JsonNode proof = client.get("/api/effects/sketch/proof").expect(200).json();
    assertThat(proof.path("price").toString())
        .isEqualTo("{\"per\":\"output\",\"most\":\"variants\"}");
    assertThat(proof.path("follow_up").asString()).isEqualTo("sketch/sheet");
    assertThat(poster.path("workflow").asString()).isEqualTo("sketch");
    assertThat(poster.at("/input_schema/required/0").asString()).isEqualTo("prompt");
    assertThat(poster.at("/input_schema/properties").has("variants")).isFalse();
    // Clients that encode a slash are understood too.
    assertThat(client.get("/api/effects/sketch%2Fposter").expect(200).json()).isEqualTo(poster);
  }

  @Test
  void a_repeated_request_finds_its_job_although_the_effect_is_gone() throws IOException {
    Files.writeString(file, WALLPAPER);
    reload().expect(200);
    String wanted = "{\"effect\":\"sketch/wallpaper\",\"input\":{\"prompt\":\"sea\"}}";
    String id = client.post("/api/jobs", wanted, "Idempotency-Key", "k").expect(201).at("/id");
    Files.delete(file);
    reload().expect(200);

    Answer again = client.post("/api/jobs", wanted, "Idempotency-Key", "k").expect(200);
    assertThat(again.at("/id")).isEqualTo(id);
    assertThat(again.header("idempotency-replayed")).contains("true");
    client
        .post("/api/jobs", wanted.replace("sea", "lake"), "Idempotency-Key", "k")
        .problem(422, "idempotency_mismatch");
    client.post("/api/jobs", wanted, "Idempotency-Key", "new").problem(422, "invalid_request");
  }

  @Test
  void nobody_gets_a_picture_that_waits_for_review_or_was_given_up() throws IOException {
    Files.writeString(
        file, WALLPAPER.replace("credits_cost: 3", "credits_cost: 3\n    review: required"));
    reload().expect(200);
    String id =
        client
            .post("/api/jobs", "{\"effect\":\"sketch/wallpaper\",\"input\":{\"prompt\":\"sea\"}}")
            .expect(201)
            .at("/id");

    Answer waiting = client.awaitJob(id, "waiting_review");
    assertThat(waiting.json().path("outputs")).isEmpty();
    assertThat(client.get("/api/files").json().path("items")).isEmpty();
    String made = rig.ask("select id from file");
    client.get("/api/files/" + made).problem(404, "not_found");

    client.post("/api/jobs/" + id + "/cancel", "").expect(200);
    assertThat(client.job(id).at("/credits/refunded")).isEqualTo("3");
    assertThat(client.job(id).json().path("outputs")).isEmpty();
    rig.examine();
  }

  @Test
  void a_new_effect_can_be_loaded_bought_and_run() throws IOException {
    int before = client.get("/api/effects").json().path("items").size();
    Files.writeString(file, WALLPAPER);

    assertThat(reload().expect(200).at("/effects")).isEqualTo(Integer.toString(before + 1));

    String id =
        client
            .post("/api/jobs", "{\"effect\":\"sketch/wallpaper\",\"input\":{\"prompt\":\"sea\"}}")
            .expect(201)
            .at("/id");
    Answer job = client.awaitJob(id, "completed");
    assertThat(job.at("/outputs/0/width")).isEqualTo("512");
    assertThat(job.at("/credits/captured")).isEqualTo("3");
    rig.examine();
  }

  @Test
  void a_broken_file_is_refused_with_its_mistake_and_the_old_offers_stay() throws IOException {
    Files.writeString(file, WALLPAPER);
    reload().expect(200);
    Files.writeString(file, WALLPAPER.replace("credits_cost: 3", "credits_cost: -3"));

    Answer refused = reload().problem(422, "invalid_request");

    assertThat(refused.json().path("errors")).hasSize(1);
    assertThat(refused.at("/errors/0/path")).isEqualTo("effects[0].credits_cost");
    assertThat(refused.at("/errors/0/message")).startsWith("wallpaper.yaml:5: ");
    assertThat(client.get("/api/effects/sketch/wallpaper").expect(200).at("/credits_cost"))
        .isEqualTo("3");
  }

  @Test
  void an_edited_file_is_picked_up_without_a_call() throws IOException {
    Files.writeString(file, WALLPAPER);
    await().until(() -> client.get("/api/effects/sketch/wallpaper").status() == 200);

    Files.writeString(file, WALLPAPER.replace("credits_cost: 3", "credits_cost: 44"));
    await()
        .until(() -> client.get("/api/effects/sketch/wallpaper").at("/credits_cost").equals("44"));
  }

  @Test
  void a_job_that_waits_keeps_its_price_when_its_effect_is_taken_off_the_shelf()
      throws IOException {
    Files.writeString(file, WALLPAPER);
    reload().expect(200);
    String id =
        client
            .post(
                "/api/jobs",
                """
                {"effect":"sketch/wallpaper","input":{"prompt":"sea","delay_seconds":1}}
                """)
            .expect(201)
            .at("/id");
    Files.delete(file);
    reload().expect(200);

    client.get("/api/effects/sketch/wallpaper").problem(404, "not_found");
    assertThat(
            client
                .post(
                    "/api/jobs", "{\"effect\":\"sketch/wallpaper\",\"input\":{\"prompt\":\"sea\"}}")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactly("/effect");
    assertThat(client.awaitJob(id, "completed").at("/credits/captured")).isEqualTo("3");
    rig.examine();
  }
}
