package dev.millrace.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.MillraceServer;
import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Walks through seed 001, an image library's job system, section by section. */
class ImagesPgTest {

  private static final String CATALOGUE =
      """
      effects_of: sketch
      effects:
        - effect: images/default
          title: Picture
          credits_cost: 4
          dedupe: {window_seconds: 60}
          fixed: {variants: 1, width: 256, height: 256}
          retry: {max_failures: 2}
      """;

  @TempDir static Path folder;
  private static ServerRig rig;
  private static Client admin;

  @BeforeAll
  static void start() throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("images.yaml"), CATALOGUE);
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, "words:\n  - {category: violence, any: [massacre]}\n");
    rig = ServerRig.start(folder, "CATALOGUE_DIR=" + catalogue, "GUARD_RULES=" + rules);
    admin = rig.as("admin");
    rig.credit("default", 1_000);
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  private static Answer ask(Client client, String prompt, String params) {
    return client.post(
        "/api/images/jobs", "{\"prompt\":\"%s\",\"params\":{%s}}".formatted(prompt, params));
  }

  /** Somebody with a wallet that no other test looks at. */
  private static Client payer(String user) {
    rig.credit(user, 20);
    return rig.boundTo(user);
  }

  private static Answer job(String id) {
    return admin.get("/api/images/jobs/" + id).expect(200);
  }

  private static Answer await(String id, String status) {
    return Awaitility.await().until(() -> job(id), job -> job.at("/status").equals(status));
  }

  @Test
  void a_created_job_is_queued_and_its_credits_are_reserved() {
    Client user = payer("creating");
    Answer made = ask(user, "a heron", "\"style\":\"night\",\"delay_seconds\":60").expect(201);

    assertThat(List.of("queued", "running")).contains(made.at("/status"));
    assertThat(made.at("/prompt")).isEqualTo("a heron");
    assertThat(made.at("/params/style")).isEqualTo("night");
    assertThat(made.at("/userId")).isEqualTo("creating");
    assertThat(made.at("/credits/reserved")).isEqualTo("4");
    assertThat(user.balance()).isEqualTo(16);
    assertThat(await(made.at("/jobId"), "running").at("/startedAt")).isNotBlank();
    assertThat(admin.job(made.at("/jobId")).at("/dialect")).isEqualTo("images");
    ask(rig.boundTo("poor"), "a heron", "").problem(402, "insufficient_credits");
    admin.post("/api/jobs/" + made.at("/jobId") + "/cancel", "").expect(200);
    await(made.at("/jobId"), "failed");
  }

  @Test
  void the_prompt_guard_comes_before_money() {
    Client user = payer("guarded");
    Answer refused = ask(user, "a massacre", "").problem(403, "blocked");
    assertThat(refused.at("/category")).isEqualTo("violence");
    assertThat(user.balance()).isEqualTo(20);
  }

  @Test
  void a_finished_picture_is_an_asset_of_the_library_at_an_address_that_stays() throws Exception {
    String id = ask(admin, "a crane", "").expect(201).at("/jobId");
    Answer done = await(id, "completed");

    assertThat(admin.get("/api/files/" + done.at("/assetId")).expect(200).at("/job_id"))
        .isEqualTo(id);
    assertThat(done.at("/resultUrl")).endsWith("/api/images/jobs/" + id + "/result");
    String path = URI.create(done.at("/resultUrl")).getPath();
    Answer led = admin.get(path).expect(302);
    assertThat(led.header("cache-control")).contains("private, no-store");
    String signed = led.header("location").orElseThrow();
    Answer picture = admin.get(signed).expect(200);
    assertThat(picture.header("content-type")).contains("image/png");
    // The original is private: nobody gets it without a signature, and no stranger gets one.
    admin.get(URI.create(signed).getPath()).expect(403);
    rig.boundTo("a-stranger").get(path).problem(404, "not_found");
    rig.withoutKey().get(path).expect(401);
    assertThat(job(id).at("/resultUrl")).isEqualTo(done.at("/resultUrl"));
  }

  @Test
  void the_engines_own_jobs_have_such_addresses_for_each_output() {
    String id =
        admin.asked(
            "sketch/series",
            "\"prompt\":\"two birds\"",
            "\"variants\":2",
            "\"width\":256",
            "\"height\":256",
            "\"delay_seconds\":1");
    admin.get("/api/jobs/" + id + "/outputs/0").problem(404, "no_output");
    Answer done = admin.awaitJob(id, "completed");
    int outputs = done.json().path("outputs").size();
    String last = "/api/jobs/" + id + "/outputs/" + (outputs - 1);
    assertThat(admin.get(last).expect(302).header("location").orElseThrow())
        .contains(key(done.at("/outputs/%d/url".formatted(outputs - 1))));
    admin.get("/api/jobs/" + id + "/outputs/" + outputs).problem(404, "no_output");
    admin.get("/api/jobs/" + id + "/outputs/-1").problem(404, "not_found");
    rig.boundTo("a-stranger").get(last).problem(404, "not_found");
  }

  private static String key(String url) {
    return URI.create(url).getPath();
  }

  @Test
  void a_failure_counts_and_is_tried_again_until_none_is_left() {
    Client user = payer("failing");
    String id = ask(user, "a coot", "\"fail\":\"retryable\"").expect(201).at("/jobId");
    Answer failed = await(id, "failed");
    assertThat(failed.at("/retryCount")).isEqualTo("1");
    assertThat(failed.at("/nextRetryAt")).isNotBlank();

    Answer dead = await(id, "dead_letter");
    assertThat(dead.at("/retryCount")).isEqualTo("2");
    assertThat(dead.at("/error/message")).isNotBlank();
    assertThat(dead.json().path("nextRetryAt").isNull()).isTrue();
    assertThat(user.balance()).isEqualTo(20);
  }

  @Test
  void what_a_safety_filter_rejects_is_not_refunded_and_somebody_can_act_on_it() {
    Client user = payer("rejected");
    String id = ask(user, "a wading bird", "\"fail\":\"safety\"").expect(201).at("/jobId");
    Answer rejected = await(id, "rejected");
    assertThat(rejected.at("/credits/captured")).isEqualTo("4");
    assertThat(rejected.at("/credits/refunded")).isEqualTo("0");
    assertThat(user.balance()).isEqualTo(16);

    JsonNode line =
        admin.get("/api/admin/audit?action=SAFE_BLOCK&target=" + id).json().at("/items/0/detail");
    assertThat(line.path("category").asString()).isEqualTo("rehearsal");
    assertThat(line.path("rule").asString()).isEqualTo("provider_filter");
    assertThat(line.path("attempt").asString()).isEqualTo("1");
    assertThat(line.path("provider").asString()).isEqualTo("sketch");
  }

  @Test
  void the_same_request_within_the_window_is_the_same_job_unless_it_failed() {
    Client user = payer("repeating");
    String id = ask(user, "a stork", "").expect(201).at("/jobId");
    Answer again = ask(user, "a stork", "").expect(200);
    assertThat(again.at("/jobId")).isEqualTo(id);
    assertThat(again.header("idempotency-replayed")).contains("true");
    await(id, "completed");
    assertThat(ask(user, "a stork", "").expect(200).at("/jobId")).isEqualTo(id);
    assertThat(user.balance()).isEqualTo(16);

    String rejected = ask(user, "an ibis", "\"fail\":\"safety\"").expect(201).at("/jobId");
    await(rejected, "rejected");
    ask(user, "an ibis", "\"fail\":\"safety\"").expect(200);
    String failed = ask(user, "an egret", "\"fail\":\"permanent\"").expect(201).at("/jobId");
    await(failed, "failed");
    ask(user, "an egret", "\"fail\":\"permanent\"").expect(201);
  }

  @Test
  void a_new_installation_makes_pictures_too_and_the_same_one_once() throws IOException {
    Path empty = Files.createDirectories(folder.resolve("empty"));
    try (MillraceServer plain = rig.another("CATALOGUE_DIR=" + empty)) {
      Client client = new Client(admin.http(), URI.create(plain.url().toString()), admin.key());
      String id = ask(client, "a dipper", "").expect(201).at("/jobId");
      assertThat(ask(client, "a dipper", "").expect(200).at("/jobId")).isEqualTo(id);
    }
  }

  @Test
  void a_key_of_the_clients_own_finds_its_job_and_no_other_request() {
    String body = "{\"prompt\":\"%s\",\"idempotencyKey\":\"mine\"}";
    String id = admin.post("/api/images/jobs", body.formatted("a tern")).expect(201).at("/jobId");
    assertThat(admin.post("/api/images/jobs", body.formatted("a tern")).expect(200).at("/jobId"))
        .isEqualTo(id);
    admin.post("/api/images/jobs", body.formatted("a gull")).problem(422, "idempotency_mismatch");
  }

  @Test
  void mistakes_are_named_in_the_clients_own_fields() {
    Answer refused =
        admin.post(
            "/api/images/jobs", "{\"params\":{\"width\":7,\"colour\":1},\"idempotencyKey\":\" \"}");
    refused.problem(422, "invalid_request");
    assertThat(refused.wrongPaths()).contains("/params/colour", "/idempotencyKey");
    assertThat(
            admin
                .post("/api/images/jobs", "{\"idempotency_key\":\"x\"}")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactly("/idempotency_key");
  }

  @Test
  void the_list_has_the_newest_first_and_goes_on() {
    Client user = payer("listing");
    String first = ask(user, "a rail", "").expect(201).at("/jobId");
    String second = ask(user, "a crake", "").expect(201).at("/jobId");
    Answer page = user.get("/api/images/jobs?limit=1").expect(200);
    assertThat(page.at("/jobs/0/jobId")).isEqualTo(second);
    Answer next = user.get("/api/images/jobs?limit=1&cursor=" + page.at("/nextCursor"));
    assertThat(next.expect(200).at("/jobs/0/jobId")).isEqualTo(first);
  }
}
