package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Once more: as a new job for its owner, or in place for an administrator. */
class RetryApiPgTest {

  private static final String FRAGILE =
      """
      effects_of: sketch
      effects:
        - effect: sketch/fragile
          title: Fragile
          credits_cost: 3
          fixed: {variants: 1, width: 256, height: 256}
          retry: {max_failures: 1}
      """;

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client admin;
  private static Path file;
  private Client owner;

  @BeforeAll
  static void start() throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    file = catalogue.resolve("fragile.yaml");
    Files.writeString(file, FRAGILE);
    rig = ServerRig.start(folder, "CATALOGUE_DIR=" + catalogue);
    admin = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @BeforeEach
  void a_user_with_five_credits() throws IOException {
    if (!Files.exists(file)) {
      Files.writeString(file, FRAGILE);
      admin.post("/api/admin/catalogue/reload", "").expect(200);
    }
    String user = "u-" + UUID.randomUUID();
    owner = rig.boundTo(user);
    rig.credit(user, 5);
  }

  @AfterEach
  void everyInvariantHolds() {
    rig.examine();
  }

  /** Fails at its first attempt, and has no second. */
  private String dead() {
    String id = owner.asked("sketch/fragile", "\"prompt\":\"sea\"", "\"fail\":\"once\"");
    owner.awaitJob(id, "dead_letter");
    return id;
  }

  private static Answer inPlace(String id) {
    return admin.post("/api/admin/jobs/" + id + "/retry", "");
  }

  @Test
  void a_retry_in_place_goes_on_with_a_new_hold_and_keeps_all_evidence() {
    String id = dead();
    List<JsonNode> before =
        List.copyOf(owner.get("/api/jobs/" + id + "/events").json().path("items").values());
    assertThat(owner.balance()).isEqualTo(5);

    Answer retried = inPlace(id).expect(200);

    assertThat(retried.at("/id")).isEqualTo(id);
    Answer done = owner.awaitJob(id, "completed");
    assertThat(done.at("/attempt")).isEqualTo("2");
    assertThat(done.json().path("error").isNull()).isTrue();
    assertThat(done.json().path("retry_of").isNull()).isTrue();
    assertThat(done.at("/credits/captured")).isEqualTo("3");
    assertThat(owner.balance()).isEqualTo(2);
    List<JsonNode> after =
        List.copyOf(owner.get("/api/jobs/" + id + "/events").json().path("items").values());
    assertThat(after).startsWith(before.toArray(JsonNode[]::new));
    JsonNode receipt = owner.get("/api/jobs/" + id + "/receipt").expect(200).json();
    assertThat(receipt.path("lines").values())
        .extracting(line -> line.path("funding_seq").asInt() + " " + line.path("type").asString())
        .containsExactly("1 job_reserve", "1 job_refund", "2 job_reserve", "2 job_consume");
    assertThat(receipt.path("attempts").values())
        .extracting(attempt -> attempt.path("outcome").asString())
        .containsExactly("failed", "completed");
    assertThat(receipt.at("/attempts/0/error").asString()).isNotBlank();
    assertThat(admin.get("/api/admin/audit?action=job.retry&target=" + id).json().path("items"))
        .hasSize(1);
  }

  @Test
  void a_retry_in_place_needs_the_credits_again() {
    String id = dead();
    owner.asked("sketch/poster", "\"prompt\":\"sea\"");

    Answer refused = inPlace(id).problem(402, "insufficient_credits");

    assertThat(refused.at("/required_credits") + refused.at("/balance")).isEqualTo("30");
    assertThat(owner.job(id).at("/state")).isEqualTo("dead_letter");
  }

  @Test
  void many_retries_in_place_at_once_reserve_once() throws Exception {
    String id = dead();

    List<Answer> answers = Together.times(20, _ -> inPlace(id));

    // One that comes after the end of the second life is refused like any other.
    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
    owner.awaitJob(id, "completed");
    assertThat(owner.balance()).isEqualTo(2);
  }

  @Test
  void a_job_whose_effect_is_gone_can_still_be_retried_in_place() throws IOException {
    String id = dead();
    Files.delete(file);
    admin.post("/api/admin/catalogue/reload", "").expect(200);

    inPlace(id).expect(200);

    owner.awaitJob(id, "completed");
    assertThat(rig.ask("select max_failures from job where id = '" + id + "'")).isEqualTo("4");
  }

  @Test
  void a_job_that_ended_well_or_was_given_up_cannot_be_retried_in_place() {
    String done = owner.submitted();
    owner.awaitJob(done, "completed");
    assertThat(inPlace(done).problem(409, "transition_denied").at("/state")).isEqualTo("completed");
    String canceled = scheduled();
    owner.post("/api/jobs/" + canceled + "/cancel", "").expect(200);
    inPlace(canceled).problem(409, "transition_denied");
    inPlace(UUID.randomUUID().toString()).problem(404, "not_found");
    owner.post("/api/admin/jobs/" + done + "/retry", "").problem(403, "forbidden");
    rig.as("reviewer").post("/api/admin/jobs/" + done + "/retry", "").problem(403, "forbidden");
  }

  private String scheduled() {
    return owner
        .post(
            "/api/jobs",
            Client.draft("\"seed\":4")
                .replace("{\"effect", "{\"run_at\":\"2099-01-01T00:00:00Z\",\"effect"))
        .expect(201)
        .at("/id");
  }

  @Test
  void an_owners_retry_is_a_new_job_that_names_the_old_one() {
    String old = scheduled();
    owner.post("/api/jobs/" + old + "/cancel", "").expect(200);
    int events = owner.job(old).json().path("last_event_id").asInt();

    Answer made = owner.post("/api/jobs/" + old + "/retry", "").expect(201);

    String id = made.at("/id");
    assertThat(id).isNotEqualTo(old);
    assertThat(made.header("location")).contains("/api/jobs/" + id);
    assertThat(made.at("/retry_of")).isEqualTo(old);
    assertThat(made.at("/input/seed")).isEqualTo("4");
    owner.awaitJob(id, "completed");
    assertThat(owner.job(old).json().path("last_event_id").asInt()).isEqualTo(events);
    assertThat(owner.balance()).isEqualTo(4);
  }

  @Test
  void a_retry_with_a_key_counts_once() {
    String old = scheduled();
    owner.post("/api/jobs/" + old + "/cancel", "").expect(200);

    String id =
        owner
            .post("/api/jobs/" + old + "/retry", "", "Idempotency-Key", "again")
            .expect(201)
            .at("/id");
    Answer replay =
        owner.post("/api/jobs/" + old + "/retry", "{\"idempotency_key\":\"again\"}").expect(200);

    assertThat(replay.at("/id")).isEqualTo(id);
    assertThat(replay.header("idempotency-replayed")).contains("true");
    assertThat(
            owner
                .post(
                    "/api/jobs/" + old + "/retry",
                    "{\"idempotency_key\":\"other\"}",
                    "Idempotency-Key",
                    "again")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactly("/idempotency_key");
    owner
        .post("/api/jobs", Client.draft("\"seed\":4"), "Idempotency-Key", "again")
        .problem(422, "idempotency_mismatch");
  }

  @Test
  void a_job_that_lives_or_ended_well_is_not_retried_and_a_strangers_is_not_found() {
    String live = scheduled();
    assertThat(
            owner
                .post("/api/jobs/" + live + "/retry", "")
                .problem(409, "transition_denied")
                .at("/state"))
        .isEqualTo("pending");
    String done = owner.submitted();
    owner.awaitJob(done, "completed");
    owner.post("/api/jobs/" + done + "/retry", "").problem(409, "transition_denied");
    rig.boundTo("stranger").post("/api/jobs/" + live + "/retry", "").problem(404, "not_found");
  }

  @Test
  void a_retry_is_refused_like_a_submit_if_the_wallet_is_empty() {
    String old = owner.asked("sketch/poster", "\"prompt\":\"x\"", "\"fail\":\"safety\"");
    owner.awaitJob(old, "rejected");

    owner.post("/api/jobs/" + old + "/retry", "").problem(402, "insufficient_credits");
  }
}
