package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.Guest;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator allows a tenant: bytes, requests, and to come in at all. */
class TenantPlanApiPgTest {

  /** As long as another limit may still hold. */
  private static final Duration MEMORY = Duration.ofSeconds(20);

  @TempDir static Path folder;
  private static ServerRig rig;
  private static Client operator;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, FleetRig.settings(folder));
    operator = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  private static Client made(String slug, String limits) {
    Client admin =
        operator.with(
            operator
                .post("/api/admin/tenants", "{\"slug\":\"%s\"}".formatted(slug))
                .expect(201)
                .at("/admin_key"));
    operator.put("/api/admin/tenants/" + slug + "/limits", "{" + limits + "}").expect(200);
    return admin;
  }

  private static Answer announce(Client by, String user, int size) {
    return by.post(
        "/api/files",
        """
        {"name":"a.json","media_type":"application/json","size":%d,"user":"%s"}
        """
            .formatted(size, user));
  }

  @Test
  void no_uploads_at_once_bring_more_than_a_user_or_the_tenant_may_store() throws Exception {
    Client admin = made("storing", "\"user_storage_bytes\":100,\"storage_bytes\":150");
    Client free = made("unlimited", "\"user_storage_bytes\":0,\"storage_bytes\":0");
    List<Answer> answers = Together.times(30, _ -> announce(admin, "ada", 10));
    List<Answer> taken = answers.stream().filter(answer -> answer.status() == 201).toList();
    assertThat(taken).hasSize(10);
    Answer refused =
        answers.stream().filter(answer -> answer.status() != 201).findFirst().orElseThrow();
    assertThat(refused.problem(409, "storage_quota_exceeded").at("/whose")).isEqualTo("user");

    announce(admin, "bob", 50).expect(201);
    assertThat(announce(admin, "eve", 1).problem(409, "storage_quota_exceeded").at("/whose"))
        .isEqualTo("tenant");
    announce(free, "eve", 1_000).expect(201);

    admin
        .post(
            "/api/admin/wallets/credit",
            "{\"user\":\"ada\",\"amount\":9,\"idempotency_key\":\"k\"}")
        .expect(200);
    String job = "{\"effect\":\"sketch/draft\",\"user\":\"ada\",\"input\":{\"prompt\":\"x\"}}";
    admin.post("/api/jobs", job).problem(409, "storage_quota_exceeded");
    admin.delete("/api/files/" + taken.getFirst().at("/id")).expect(200);
    announce(admin, "ada", 10).expect(201);
  }

  @Test
  void a_tenant_that_asks_more_often_than_its_plan_allows_waits_and_others_do_not() {
    Client admin = made("hasty", "\"tenant_requests_per_minute\":5");
    Client other = made("patient", "");
    await().atMost(MEMORY).until(() -> admin.get("/api/jobs").status() == 429);
    Answer refused = admin.get("/api/jobs").problem(429, "rate_limited");
    assertThat(refused.header("retry-after")).isPresent();
    other.get("/api/jobs").expect(200);
    operator.put("/api/admin/tenants/hasty/limits", "{}").expect(200);
    await().atMost(MEMORY).until(() -> admin.get("/api/jobs").status() == 200);
  }

  @Test
  void nobody_of_a_suspended_tenant_comes_in_and_what_was_under_way_ends() {
    Client admin = made("shut", "");
    admin
        .post(
            "/api/admin/wallets/credit",
            "{\"user\":\"ada\",\"amount\":9,\"idempotency_key\":\"k\"}")
        .expect(200);
    String done = admin.askedAs("ada", "sketch/draft", "\"prompt\":\"x\"");
    String url = admin.awaitJob(done, "completed").at("/outputs/0/url");
    Client token =
        admin.with(admin.post("/api/user-tokens", "{\"user\":\"ada\"}").expect(201).at("/token"));
    String stream = "/api/jobs/" + done + "/stream";
    String ticket =
        token.post("/api/tickets", "{\"path\":\"" + stream + "\"}").expect(201).at("/ticket");
    Guest guest = rig.console().guest(String.valueOf(admin.key()));
    FleetRig.Worker worker = FleetRig.worker(operator, "of-all", 1, "caption");
    String job = admin.askedAs("ada", "caption/one", "\"prompt\":\"x\"");
    FleetRig.Work work = worker.lease();

    operator.post("/api/admin/tenants/shut/suspend", "{}").expect(200);
    await().atMost(MEMORY).until(() -> admin.get("/api/jobs").status() == 403);
    await().atMost(MEMORY).until(() -> token.get("/api/jobs").status() == 403);
    await().atMost(MEMORY).until(() -> guest.get("/console/jobs").statusCode() == 403);

    for (Client shut : List.of(admin, token)) {
      shut.get("/api/whoami").problem(403, "tenant_suspended");
      shut.get(stream).problem(403, "tenant_suspended");
      shut.post("/api/jobs", Client.draft()).problem(403, "tenant_suspended");
      shut.post("/api/batches", "{\"jobs\":[%s]}".formatted(Client.draft()))
          .problem(403, "tenant_suspended");
      announce(shut, "ada", 1).problem(403, "tenant_suspended");
    }
    operator.with(null).get(stream + "?ticket=" + ticket).problem(403, "tenant_suspended");
    assertThat(guest.get("/console/jobs/" + done).body()).doesNotContain(url);
    operator.with(null).get(url).expect(200);
    assertThat(work.tell("heartbeat", "\"progress\":40").expect(200).at("/cancel"))
        .isEqualTo("false");
    work.complete("a red fox").expect(200);
    assertThat(rig.ask("select state from job where id = '%s'".formatted(job)))
        .isEqualTo("completed");
  }
}
