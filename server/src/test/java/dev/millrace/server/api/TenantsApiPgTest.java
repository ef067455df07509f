package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.Described;
import dev.millrace.server.rig.ServerRig;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The operator's rooms, and those of tenants beside each other. */
class TenantsApiPgTest {

  /** What all tenants share; by its path, or by its method and path. */
  private static final List<String> OF_THE_OPERATOR =
      List.of(
          "/api/admin/tenants",
          "/api/admin/workers",
          "/api/admin/queues",
          "/api/admin/providers",
          "/api/admin/doctor",
          "/api/admin/catalogue",
          "/api/admin/effects",
          "/api/admin/workflows");

  @TempDir static Path folder;
  private static ServerRig rig;
  private static Client operator;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder);
    operator = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static Client made(String slug) {
    Answer made =
        operator
            .post(
                "/api/admin/tenants", "{\"slug\":\"%s\",\"name\":\"The %s\"}".formatted(slug, slug))
            .expect(201);
    return operator.with(made.at("/admin_key"));
  }

  @Test
  void what_all_tenants_share_is_the_operators_and_no_admins() {
    Client admin = made("sharing");
    Set<String> refused = new java.util.TreeSet<>();
    for (String operation : Described.operations()) {
      String[] methodAndPath = operation.split(" ", -1);
      String path = methodAndPath[1].replaceAll("\\{[a-z]+}", UUID.randomUUID().toString());
      if (path.startsWith("/api/admin/")) {
        Answer answer = admin.send(methodAndPath[0], path, BodyPublishers.noBody());
        if (answer.status() == 403) {
          answer.problem(403, "forbidden");
          refused.add(methodAndPath[1]);
        }
      }
    }
    assertThat(refused)
        .isNotEmpty()
        .allMatch(path -> OF_THE_OPERATOR.stream().anyMatch(path::startsWith));
    for (String operation : Described.operations()) {
      String path = operation.split(" ", -1)[1];
      if (OF_THE_OPERATOR.stream().anyMatch(path::startsWith)) {
        assertThat(refused).contains(path);
      }
    }
  }

  @Test
  void a_tenant_sees_nothing_of_another_and_a_foreign_id_looks_missing() {
    Client one = made("one");
    Client other = made("other");
    one.post(
            "/api/admin/wallets/credit",
            "{\"user\":\"default\",\"amount\":9,\"idempotency_key\":\"k\"}")
        .expect(200);
    String job = one.submitted();
    one.awaitJob(job, "completed");
    assertThat(other.get("/api/whoami").at("/tenant")).isEqualTo("other");
    for (String path : List.of("", "/events", "/receipt", "/why")) {
      other.get("/api/jobs/" + job + path).problem(404, "not_found");
    }
    assertThat(other.get("/api/jobs").json().path("items").size()).isZero();
    assertThat(operator.get("/api/jobs/" + job).status()).isEqualTo(404);
    rig.examine();
  }

  @Test
  void a_suspended_tenant_is_shut_out_until_it_is_let_in_and_its_jobs_go_on() {
    Client admin = made("late-payer");
    operator.post("/api/admin/tenants/late-payer/suspend", "{}").expect(200);
    await().until(() -> admin.get("/api/jobs").status() == 403);
    admin.get("/api/jobs").problem(403, "tenant_suspended");
    admin.get("/api/whoami").problem(403, "tenant_suspended");
    assertThat(operator.get("/api/admin/tenants/late-payer").at("/suspended_at")).isNotEmpty();
    operator.post("/api/admin/tenants/late-payer/resume", "{}").expect(200);
    await().until(() -> admin.get("/api/jobs").status() == 200);

    operator.post("/api/admin/tenants/default/suspend", "{}").expect(200);
    operator.get("/api/jobs").expect(200);
    operator.post("/api/admin/tenants/default/resume", "{}").expect(200);
    operator.post("/api/admin/tenants/nobody/suspend", "{}").problem(404, "not_found");
  }

  @Test
  void a_tenants_limits_hold_for_its_users_and_its_priority_for_its_admins() {
    Client admin = made("limited");
    admin
        .post(
            "/api/admin/wallets/credit",
            "{\"user\":\"default\",\"amount\":9,\"idempotency_key\":\"k\"}")
        .expect(200);
    String urgent = Client.draft().replace("\"effect\"", "\"priority\":7,\"effect\"");
    admin.post("/api/jobs", urgent).problem(422, "invalid_request");
    operator
        .put("/api/admin/tenants/limited/limits", "{\"daily_jobs\":1,\"priority\":7}")
        .expect(200);
    await().until(() -> admin.post("/api/jobs", urgent).status() == 201);
    admin.post("/api/jobs", urgent).problem(429, "daily_quota_used_up");
    operator
        .put("/api/admin/tenants/limited/limits", "{\"priority\":101}")
        .problem(422, "invalid_request");
  }

  @Test
  void many_tenants_are_listed_in_pages_and_found_by_a_part_of_their_names() {
    for (int i = 0; i < 30; i++) {
      made("many-" + (char) ('a' + i % 26) + i);
    }
    List<String> all = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page =
          operator
              .get(
                  "/api/admin/tenants?search=MANY-&limit=7"
                      + (cursor.isEmpty() ? "" : "&cursor=" + cursor))
              .expect(200)
              .json();
      page.path("items").forEach(tenant -> all.add(tenant.path("slug").asString()));
      cursor = page.path("next_cursor").asString("");
    } while (!cursor.isEmpty());
    assertThat(all).hasSize(30).isSorted().doesNotHaveDuplicates();
    operator.post("/api/admin/tenants", "{\"slug\":\"many-a0\"}").problem(409, "tenant_exists");
    operator.post("/api/admin/tenants", "{\"slug\":\"Bad Slug\"}").problem(422, "invalid_request");
  }

  @Test
  void what_an_operator_does_is_in_the_audit_for_operators_alone() {
    made("audited");
    Client admin = rig.as("admin");
    String operators = operator.get("/api/admin/audit?action=tenant.create").expect(200).text();
    assertThat(operators).contains("audited");
    assertThat(admin.get("/api/admin/audit").expect(200).text()).doesNotContain("tenant.create");
  }
}
