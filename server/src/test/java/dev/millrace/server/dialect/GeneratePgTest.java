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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An ad studio's own calls: generate, look, cancel, retry. */
class GeneratePgTest {

  private static final String ADS =
      """
      effects_of: sketch
      effects:
        - effect: generate/static-ad
          title: Static ad
          credits_cost: 4
          fixed: {variants: 1, width: 256, height: 256}
          retry: {max_failures: 1}
      """;

  @TempDir static Path folder;
  private static ServerRig rig;
  private static Client admin;

  @BeforeAll
  static void start() throws IOException {
    Path catalogue = Files.createDirectories(folder.resolve("catalogue"));
    Files.writeString(catalogue.resolve("ads.yaml"), ADS);
    rig = ServerRig.start(folder, "CATALOGUE_DIR=" + catalogue);
    admin = rig.as("admin");
    rig.credit("default", 1_000);
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  private static Answer ad(String more) {
    return admin.post(
        "/api/generate/static-ad",
        "{\"product_id\": \"p-4711\", \"style\": \"night\", \"prompt\": \"an owl\"%s}"
            .formatted(more));
  }

  private static Answer awaitStatus(String id, String status) {
    return Awaitility.await()
        .until(
            () -> admin.get("/api/generate/jobs/" + id).expect(200),
            job -> job.at("/status").equals(status));
  }

  @Test
  void a_static_ad_is_asked_for_paid_once_and_delivered() {
    Answer made = ad(", \"idempotency_key\": \"user-123-product-456-static-v1\"").expect(201);
    assertThat(made.at("/type")).isEqualTo("static-ad");
    assertThat(made.at("/product_id")).isEqualTo("p-4711");
    assertThat(made.at("/style")).isEqualTo("night");
    assertThat(made.json().path("credits_cost").intValue()).isEqualTo(4);

    Answer done = awaitStatus(made.at("/id"), "completed");
    assertThat(done.at("/outputs/0/media_type")).isEqualTo("image/png");
    assertThat(done.at("/outputs/0/url")).startsWith("http");
    assertThat(admin.job(made.at("/id")).at("/input/style")).isEqualTo("night");
  }

  @Test
  void a_job_says_by_which_surface_it_was_asked_for_whatever_its_client_writes() {
    String mine = ", \"metadata\": {\"dialect\": \"mine\"}";
    ad(mine).problem(422, "invalid_request");
    String id = ad("").expect(201).at("/id");
    awaitStatus(id, "completed");
    assertThat(admin.job(id).at("/dialect")).isEqualTo("generate");
    assertThat(rig.console().guest(rig.key()).get("/console/jobs/" + id).body())
        .contains("<dt>Came through</dt><dd>generate</dd>");

    Answer own =
        admin.post(
            "/api/jobs",
            "{\"effect\": \"generate/static-ad\", \"input\": {\"prompt\": \"a fox\"}%s}"
                .formatted(mine));
    assertThat(own.expect(201).json().path("dialect").isNull()).isTrue();
    assertThat(admin.job(own.at("/id")).json().path("dialect").isNull()).isTrue();
  }

  @Test
  void a_key_that_was_used_finds_its_job_whatever_became_of_it() {
    String key = ", \"idempotency_key\": \"again\"";
    String id = ad(key).expect(201).at("/id");
    awaitStatus(id, "completed");
    long balance = admin.balance();

    Answer again = ad(key).expect(200);
    assertThat(again.at("/id")).isEqualTo(id);
    assertThat(again.header("idempotency-replayed")).contains("true");
    assertThat(admin.balance()).isEqualTo(balance);
  }

  @Test
  void what_failed_is_refunded_and_an_admin_lets_it_go_on_and_pays_again() {
    long before = admin.balance();
    String id = ad(", \"fail\": \"permanent\"").expect(201).at("/id");
    Answer failed = awaitStatus(id, "failed");
    assertThat(failed.at("/error_message")).isNotBlank();
    assertThat(failed.json().path("credits_refunded").intValue()).isEqualTo(4);
    assertThat(admin.balance()).isEqualTo(before);

    admin.post("/api/admin/jobs/" + id + "/retry", "").expect(200);
    awaitStatus(id, "failed");
    assertThat(rig.ask("select count(*) from ledger where job_id = '" + id + "' and amount < 0"))
        .isEqualTo("2");
  }

  @Test
  void what_runs_is_canceled_and_what_is_over_is_not() {
    String id = ad(", \"delay_seconds\": 60").expect(201).at("/id");
    admin.post("/api/generate/jobs/" + id + "/cancel", "").expect(200);
    awaitStatus(id, "canceled");
    admin.post("/api/generate/jobs/" + id + "/cancel", "").problem(409, "transition_denied");
    admin.post("/api/admin/jobs/" + id + "/retry", "").problem(409, "transition_denied");
  }

  @Test
  void a_mistake_is_named_where_the_client_wrote_it() {
    Answer refused = ad(", \"width\": 7, \"colour\": \"red\"");
    refused.problem(422, "invalid_request");
    assertThat(refused.wrongPaths()).contains("/colour").allMatch(path -> !path.contains("input"));
    admin.post("/api/generate/poem", "{}").problem(404, "not_found");
    admin.post("/api/generate/tts", "{\"text\": \"hello\"}").problem(422, "type_not_offered");
  }

  @Test
  void only_what_a_key_may_ask_for_is_generated_and_only_its_own_jobs_are_shown() {
    String id = ad(", \"delay_seconds\": 60").expect(201).at("/id");
    Client stranger = rig.boundTo("stranger");
    stranger.get("/api/generate/jobs/" + id).problem(404, "not_found");
    stranger.post("/api/generate/jobs/" + id + "/cancel", "").problem(404, "not_found");
    admin.post("/api/generate/jobs/" + id + "/cancel", "").expect(200);
    String poor = "{\"prompt\": \"x\"}";
    stranger.post("/api/generate/static-ad", poor).problem(402, "insufficient_credits");
  }

  @Test
  void a_dialect_that_is_switched_off_is_not_there() {
    try (MillraceServer without = rig.another("DIALECTS=none")) {
      Client client = new Client(admin.http(), URI.create(without.url().toString()), admin.key());
      client.post("/api/generate/static-ad", "{}").problem(404, "not_found");
      client.get("/api/jobs").expect(200);
    }
  }
}
