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

/** What is not let through, before, during and after, and what it costs. */
class ModerationApiPgTest {

  private static final String OVERTURN = "{\"reason\":\"The filter was wrong.\"}";

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client reviewer;
  private Client owner;

  @BeforeAll
  static void start() throws IOException {
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(
        rules,
        """
        words:
          - category: violence
            any: [massacre]
        """);
    rig = ServerRig.start(folder, "GUARD_RULES=" + rules);
    reviewer = rig.as("reviewer");
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @BeforeEach
  void a_user_with_ten_credits() {
    String user = "u-" + UUID.randomUUID();
    owner = rig.boundTo(user);
    rig.credit(user, 10);
  }

  @AfterEach
  void everyInvariantHolds() {
    rig.examine();
  }

  private String unsafe() {
    String id = owner.asked("sketch/poster", "\"prompt\":\"x\"", "\"fail\":\"safety\"");
    owner.awaitJob(id, "rejected");
    return id;
  }

  private static Answer overturn(String id) {
    return reviewer.post("/api/admin/jobs/" + id + "/overturn", OVERTURN);
  }

  private static List<JsonNode> audit(String action, String target) {
    return List.copyOf(
        rig.admin()
            .get("/api/admin/audit?action=" + action + "&target=" + target)
            .expect(200)
            .json()
            .path("items")
            .values());
  }

  @Test
  void a_denied_input_is_kept_as_a_blocked_job_without_a_hold() {
    String denied = Client.draft().replace("a red fox", "a massacre");

    Answer refused =
        owner.post("/api/jobs", denied, "Idempotency-Key", "k").problem(403, "blocked");

    assertThat(refused.at("/category")).isEqualTo("violence");
    assertThat(refused.text()).doesNotContain("massacre");
    Answer job = owner.job(refused.at("/job_id"));
    assertThat(job.at("/state")).isEqualTo("blocked");
    assertThat(job.at("/error/code")).isEqualTo("violence");
    assertThat(job.json().path("credits").toString())
        .isEqualTo("{\"held\":0,\"captured\":0,\"refunded\":0}");
    assertThat(owner.get("/api/wallet").text()).contains("\"balance\":10,\"reserved\":0");
    owner.post("/api/jobs/" + job.at("/id") + "/retry", "").problem(409, "transition_denied");
    // The key stays free for something better.
    owner.post("/api/jobs", Client.draft(), "Idempotency-Key", "k").expect(201);
  }

  @Test
  void a_safety_rejection_is_paid_for_and_in_the_audit() {
    String id = unsafe();

    assertThat(owner.job(id).at("/credits/captured")).isEqualTo("5");
    assertThat(audit("SAFE_BLOCK", id))
        .singleElement()
        .satisfies(line -> {
          assertThat(line.path("actor").asString()).isEqualTo("system");
          assertThat(line.path("detail").toString())
              .isEqualTo(
                  "{\"code\":\"safety\",\"rule\":\"provider_filter\",\"attempt\":\"1\","
                      + "\"category\":\"rehearsal\",\"provider\":\"sketch\"}");
        });
  }

  @Test
  void an_overturned_rejection_gives_its_credits_back_once() throws Exception {
    String id = unsafe();
    String tag = owner.job(id).header("etag").orElseThrow();
    assertThat(owner.balance()).isEqualTo(5);

    List<Answer> answers = Together.times(20, _ -> overturn(id).expect(200));

    assertThat(answers).extracting(answer -> answer.at("/overturned_at")).doesNotContain("");
    assertThat(answers.stream().map(answer -> answer.at("/overturned_at")).distinct()).hasSize(1);
    assertThat(owner.balance()).isEqualTo(10);
    assertThat(owner.get("/api/wallet/ledger").json().path("items").values())
        .extracting(line -> line.path("type").asString() + " " + line.path("amount").asLong())
        .containsExactly("adjustment 5", "job_consume 0", "job_reserve -5", "payment_credit 10");
    Answer job = owner.get("/api/jobs/" + id, "If-None-Match", tag).expect(200);
    assertThat(job.at("/state")).isEqualTo("rejected");
    assertThat(audit("job.overturn", id))
        .singleElement()
        .satisfies(line ->
            assertThat(line.at("/detail/reason").asString()).isEqualTo("The filter was wrong."));
  }

  @Test
  void only_a_rejection_can_be_overturned() {
    String id = owner.submitted();
    owner.awaitJob(id, "completed");

    assertThat(overturn(id).problem(409, "transition_denied").at("/state")).isEqualTo("completed");

    owner.post("/api/admin/jobs/" + id + "/overturn", OVERTURN).problem(403, "forbidden");
    assertThat(
            reviewer
                .post("/api/admin/jobs/" + id + "/overturn", "{}")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactly("/reason");
    assertThat(owner.balance()).isEqualTo(9);
  }

  @Test
  void a_waiting_job_can_be_rejected_before_it_begins_and_is_refunded() {
    String id =
        owner
            .post(
                "/api/jobs",
                Client.draft()
                    .replace("{\"effect", "{\"run_at\":\"2099-01-01T00:00:00Z\",\"effect"))
            .expect(201)
            .at("/id");
    String path = "/api/admin/jobs/" + id + "/reject";
    String body = "{\"category\":\"violence\",\"reason\":\"Not here.\"}";
    owner.post(path, body).problem(403, "forbidden");
    assertThat(
            reviewer
                .post(path, "{\"category\":\"Not A Word\"}")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactlyInAnyOrder("/category", "/reason");

    Answer rejected = reviewer.post(path, body).expect(200);

    assertThat(rejected.at("/state")).isEqualTo("rejected");
    assertThat(rejected.at("/error/code") + ": " + rejected.at("/error/message"))
        .isEqualTo("violence: Not here.");
    assertThat(owner.balance()).isEqualTo(10);
    assertThat(audit("job.reject", id)).hasSize(1);
    reviewer.post(path, body).problem(409, "transition_denied");
    // There is nothing to give back, and so nothing is.
    overturn(id).expect(200);
    assertThat(owner.balance()).isEqualTo(10);
  }

  @Test
  void an_audit_is_read_in_pages_by_admins_only() {
    unsafe();
    Client admin = rig.admin();
    JsonNode first = admin.get("/api/admin/audit?limit=2").expect(200).json();
    JsonNode second =
        admin
            .get("/api/admin/audit?limit=2&cursor=" + first.path("next_cursor").asString())
            .expect(200)
            .json();

    assertThat(first.path("items")).hasSize(2);
    assertThat(second.at("/items/0/id").asLong()).isLessThan(first.at("/items/1/id").asLong());
    assertThat(admin.get("/api/admin/audit?action=nothing").json().path("items")).isEmpty();
    admin.get("/api/admin/audit?cursor=x").problem(422, "invalid_request");
    reviewer.get("/api/admin/audit").problem(403, "forbidden");
    owner.get("/api/admin/audit").problem(403, "forbidden");
  }

  @Test
  void a_partial_delivery_is_paid_for_in_part() {
    String id = owner.asked("sketch/series", "\"prompt\":\"fox\"", "\"block\":1");

    Answer job = owner.awaitJob(id, "completed");

    assertThat(job.json().path("outputs")).hasSize(3);
    assertThat(job.json().path("credits").toString())
        .isEqualTo("{\"held\":8,\"captured\":6,\"refunded\":2}");
    JsonNode receipt = owner.get("/api/jobs/" + id + "/receipt").expect(200).json();
    assertThat(receipt.path("delivered").asInt()).isEqualTo(3);
    assertThat(receipt.path("price").toString()).isEqualTo("{\"per\":\"output\",\"credits\":2}");
    assertThat(owner.balance()).isEqualTo(4);
  }
}
