package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.postgres.Database;
import dev.millrace.postgres.tenants.KeyView;
import dev.millrace.postgres.tenants.Keys;
import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.Described;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.service.access.ApiKey;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Who may see and do what. */
class KeysApiPgTest {

  private static final List<String> ADMIN_GETS = List.of("/api/admin/keys", "/api/admin/doctor");
  private static final List<String> ADMIN_POSTS =
      List.of("/api/admin/keys", "/api/admin/wallets/credit", "/api/admin/catalogue/reload");

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client admin;
  private static Client ada;
  private static Client bob;
  private static String adasJob;
  private static String adasFile;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder);
    admin = rig.admin();
    rig.credit("ada", 20);
    ada = rig.boundTo("ada");
    bob = rig.boundTo("bob");
    adasJob = ada.submitted();
    adasFile = ada.awaitJob(adasJob, "completed").at("/outputs/0/id");
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @Test
  void nothing_of_the_api_works_without_a_key() {
    for (String operation : Described.operations()) {
      String[] methodAndPath = operation.split(" ", -1);
      boolean ofWorkers = methodAndPath[1].startsWith("/api/worker/");
      if (methodAndPath[1].startsWith("/api") && !ofWorkers) {
        Answer answer =
            rig.withoutKey()
                .send(
                    methodAndPath[0],
                    methodAndPath[1].replaceAll("\\{[a-z]+}", UUID.randomUUID().toString()),
                    java.net.http.HttpRequest.BodyPublishers.noBody())
                .problem(401, "unauthenticated");
        assertThat(answer.header("www-authenticate")).contains("Bearer");
      }
    }
  }

  @Test
  void only_an_admin_may_push_a_job_to_the_front() {
    String urgent = Client.draft().replace("\"effect\"", "\"priority\":1,\"effect\"");
    rig.credit("carol", 5);
    Client carol = rig.boundTo("carol");
    assertThat(carol.post("/api/jobs", urgent).problem(422, "invalid_request").wrongPaths())
        .containsExactly("/priority");
    carol.post("/api/jobs", urgent.replace(":1,", ":-1,")).expect(201);
    admin.post("/api/jobs", urgent).expect(201);
  }

  @Test
  void what_admins_do_is_written_down_without_secrets() {
    String id = rig.newKey("user", "eve").path("id").asString();
    admin.delete("/api/admin/keys/" + id).expect(204);
    rig.credit("eve", 7);
    String actor = "key:" + String.valueOf(admin.key()).substring(0, 8);
    String lines =
        rig.ask(
            """
            select string_agg(action, ' ' order by id)
            from audit
            where actor = '%s'
              and (target in ('%s', 'eve'))
            """
                .formatted(actor, id));
    assertThat(lines).isEqualTo("key.create key.revoke wallet.credit");
    assertThat(rig.ask("select count(*) from audit where detail::text like '%secret%'"))
        .isEqualTo("0");
  }

  @Test
  void a_key_that_is_mistyped_unknown_or_sent_another_way_is_refused() {
    String good = String.valueOf(admin.key());
    String swapped =
        good.substring(0, 10) + (good.charAt(10) == 'a' ? 'b' : 'a') + good.substring(11);

    for (String bad :
        List.of(
            swapped,
            good + "x",
            good.substring(1),
            ApiKey.random().text(),
            "mr_",
            "",
            "x".repeat(3_000))) {
      admin.with(bad).get("/api/whoami").problem(401, "unauthenticated");
    }
    rig.withoutKey()
        .get("/api/whoami", "Authorization", "Basic " + good)
        .problem(401, "unauthenticated");
    rig.withoutKey().get("/api/whoami", "Authorization", good).problem(401, "unauthenticated");
    rig.withoutKey().get("/api/whoami?key=" + good).problem(401, "unauthenticated");
    rig.withoutKey().get("/api/whoami", "Authorization", "bearer " + good).expect(200);
  }

  @Test
  void a_revoked_key_is_dead_soon_and_for_good() {
    JsonNode key = rig.newKey("user", "");
    Client client = admin.with(key.path("secret").asString());
    client.get("/api/whoami").expect(200);

    admin.delete("/api/admin/keys/" + key.path("id").asString()).expect(204);

    await().until(() -> client.get("/api/whoami").status() == 401);
    client.get("/api/whoami").problem(401, "unauthenticated");
    admin.delete("/api/admin/keys/" + key.path("id").asString()).problem(404, "not_found");
    assertThat(listed(key.path("id").asString()).path("revoked_at").isNull()).isFalse();
  }

  @Test
  void a_list_of_keys_shows_no_secret() {
    JsonNode key = rig.newKey("reviewer", "carol");
    String text = admin.get("/api/admin/keys").expect(200).text();

    assertThat(listed(key.path("id").asString()).path("user").asString()).isEqualTo("carol");
    assertThat(text).doesNotContain(key.path("secret").asString()).doesNotContain("secret");
    assertThat(key.path("secret").asString()).startsWith(key.path("prefix").asString());
  }

  private static JsonNode listed(String id) {
    return admin.get("/api/admin/keys").expect(200).json().path("items").values().stream()
        .filter(key -> key.path("id").asString().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void only_an_admin_administers() {
    for (String role : List.of("user", "reviewer")) {
      Client client = admin.with(rig.newKey(role, "").path("secret").asString());
      assertThat(client.get("/api/whoami").expect(200).at("/role")).isEqualTo(role);
      ADMIN_GETS.forEach(path -> client.get(path).problem(403, "forbidden"));
      ADMIN_POSTS.forEach(path -> client.post(path, "{}").problem(403, "forbidden"));
      client.delete("/api/admin/keys/" + UUID.randomUUID()).problem(403, "forbidden");
    }
  }

  @Test
  void an_admin_key_is_never_bound_to_one_user() {
    assertThat(
            admin
                .post("/api/admin/keys", "{\"name\":\"n\",\"role\":\"admin\",\"user\":\"ada\"}")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactly("/user");
  }

  @Test
  void a_bound_key_is_its_user_and_nobody_else() {
    assertThat(ada.get("/api/whoami").at("/user")).isEqualTo("ada");
    assertThat(ada.get("/api/wallet").at("/user")).isEqualTo("ada");
    ada.get("/api/wallet?user=ada").expect(200);

    bob.get("/api/wallet?user=ada").problem(403, "forbidden");
    bob.get("/api/wallet/ledger?user=ada").problem(403, "forbidden");
    bob.get("/api/files?user=ada").problem(403, "forbidden");
    bob.get("/api/jobs?user=ada").problem(403, "forbidden");
    bob.post("/api/jobs", Client.draft().replace("{\"effect", "{\"user\":\"ada\",\"effect"))
        .problem(403, "forbidden");
  }

  @Test
  void a_bound_key_sees_only_what_is_its_users() {
    assertThat(ada.get("/api/jobs").json().path("items")).hasSize(1);
    assertThat(ada.get("/api/files").json().path("items")).hasSize(1);
    for (String path : List.of("/api/jobs", "/api/files", "/api/wallet/ledger")) {
      assertThat(bob.get(path).expect(200).json().path("items")).as(path).isEmpty();
    }
    assertThat(bob.balance()).isZero();
  }

  @Test
  void what_is_anothers_is_answered_exactly_like_what_does_not_exist() {
    assertForeignLooksMissing(bob);
  }

  @Test
  void another_tenant_sees_nothing_even_as_admin() {
    try (Database database =
        Database.open(
            new Database.Access(
                rig.database().jdbcUrl(), rig.database().user(), rig.database().password(), 2))) {
      ApiKey key = ApiKey.random();
      int tenant = database.tenants().ensure("neighbours");
      database
          .keys()
          .add(
              new Keys.NewKey(
                  tenant,
                  UUID.randomUUID(),
                  "theirs",
                  key.prefix(),
                  key.hash(),
                  "admin",
                  KeyView.Bounds.NONE,
                  null));
      Client neighbour = admin.with(key.text());

      assertThat(neighbour.get("/api/whoami").at("/tenant")).isEqualTo("neighbours");
      assertForeignLooksMissing(neighbour);
      for (String path :
          List.of(
              "/api/jobs",
              "/api/jobs?user=ada",
              "/api/files?user=ada",
              "/api/wallet/ledger?user=ada")) {
        assertThat(neighbour.get(path).expect(200).json().path("items")).as(path).isEmpty();
      }
      assertThat(neighbour.get("/api/wallet?user=ada").at("/balance")).isEqualTo("0");
      assertThat(neighbour.get("/api/admin/keys").json().path("items")).hasSize(1);
      String ours = admin.get("/api/admin/keys").json().path("items").path(0).path("id").asString();
      neighbour.delete("/api/admin/keys/" + ours).problem(404, "not_found");
      assertThat(listed(ours).path("revoked_at").isNull()).isTrue();
    }
  }

  private static void assertForeignLooksMissing(Client stranger) {
    String missing = UUID.randomUUID().toString();
    for (String path :
        List.of(
            "/api/jobs/ID", "/api/jobs/ID/events", "/api/jobs/ID/stream", "/api/jobs/ID/receipt")) {
      assertSame(
          stranger.get(path.replace("ID", adasJob)), stranger.get(path.replace("ID", missing)));
    }
    assertSame(stranger.get("/api/files/" + adasFile), stranger.get("/api/files/" + missing));
    assertSame(
        stranger.post("/api/jobs/" + adasJob + "/cancel", ""),
        stranger.post("/api/jobs/" + missing + "/cancel", ""));
  }

  private static void assertSame(Answer foreign, Answer missing) {
    foreign.problem(404, "not_found");
    assertThat(foreign.bytes()).isEqualTo(missing.bytes());
    assertThat(foreign.headerNames()).isEqualTo(missing.headerNames());
  }

  @Test
  void an_unbound_key_acts_for_whom_it_names() {
    Client shop = admin.with(rig.newKey("user", "").path("secret").asString());
    rig.credit("dora", 5);

    String id =
        shop.post("/api/jobs", Client.draft().replace("{\"effect", "{\"user\":\"dora\",\"effect"))
            .expect(201)
            .at("/id");

    assertThat(shop.get("/api/wallet?user=dora").at("/balance")).isEqualTo("4");
    assertThat(shop.job(id).at("/user")).isEqualTo("dora");
    assertThat(shop.get("/api/jobs?user=dora").json().path("items")).hasSize(1);
    assertThat(shop.job(adasJob).at("/user")).isEqualTo("ada");
    shop.awaitJob(id, "completed");
    rig.examine();
  }
}
