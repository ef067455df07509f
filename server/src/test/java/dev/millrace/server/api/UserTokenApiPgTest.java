package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.MillraceServer;
import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.Console;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens that a backend makes for its users: what they may, how many jobs, and when they end. */
class UserTokenApiPgTest {

  /** As long as an ended one may still work. */
  private static final Duration MEMORY = Duration.ofSeconds(15);

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client admin;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=1");
    admin = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  private static Answer mint(Client by, String json) {
    return by.post("/api/user-tokens", json);
  }

  private static Client holder(Answer minted) {
    return admin.with(minted.expect(201).at("/token"));
  }

  private static String user() {
    return "u-" + UUID.randomUUID();
  }

  private static String later() {
    return "{\"effect\":\"sketch/draft\",\"input\":{\"prompt\":\"a red fox\"},"
        + "\"run_at\":\"2199-01-01T00:00:00Z\"}";
  }

  private static long used(String id) {
    return Long.parseLong(rig.ask("select used_jobs from user_token where id = '" + id + "'"));
  }

  @Test
  void a_token_acts_for_its_user_and_nobody_else() {
    String user = user();
    rig.credit(user, 100);
    Client page = holder(mint(admin, "{\"user\":\"%s\"}".formatted(user)));

    String id = page.post("/api/jobs", later()).expect(201).at("/id");

    assertThat(admin.job(id).at("/user")).isEqualTo(user);
    page.get("/api/jobs/" + id).expect(200);
    String others = admin.post("/api/jobs", later()).expect(201).at("/id");
    page.get("/api/jobs/" + others).problem(404, "not_found");
    page.get("/api/wallet?user=default").problem(403, "forbidden");
    assertThat(page.get("/api/whoami").expect(200).at("/user")).isEqualTo(user);
  }

  @Test
  void a_token_is_good_for_nothing_but_what_a_page_needs() {
    Client page = holder(mint(admin, "{\"user\":\"%s\"}".formatted(user())));

    mint(page, "{}").problem(403, "forbidden");
    page.get("/api/user-tokens").problem(403, "forbidden");
    page.post("/api/console/links", "{}").problem(403, "forbidden");
    for (String path :
        List.of(
            "/api/admin/keys",
            "/api/admin/origins",
            "/api/admin/webhooks",
            "/api/admin/audit",
            "/api/admin/tasks",
            "/api/admin/workers",
            "/api/admin/tenants",
            "/api/admin/doctor")) {
      page.get(path).problem(403, "forbidden");
    }
    var signedIn =
        rig.console().post("/console/sign-in", "", Map.of("key", String.valueOf(page.key())));
    assertThat(Console.cookie(signedIn)).isEmpty();
  }

  @Test
  void a_token_says_once_what_it_is_and_is_stored_as_a_hash() {
    Answer minted =
        mint(
            admin,
            "{\"user\":\"anna\",\"effects\":[\"sketch/draft\"],\"scopes\":[\"jobs:read\"],"
                + "\"jobs\":3,\"minutes\":30}");

    minted.expect(201);
    String secret = minted.at("/token");
    assertThat(minted.header("cache-control")).contains("no-store");
    assertThat(secret).startsWith("mrt_").startsWith(minted.at("/prefix"));
    assertThat(Duration.between(Instant.now(), Instant.parse(minted.at("/ends_at"))))
        .isBetween(Duration.ofMinutes(28), Duration.ofMinutes(31));
    assertThat(
            rig.ask(
                "select count(*) from user_token where user_token::text like '%" + secret + "%'"))
        .isEqualTo("0");
    Answer list = admin.get("/api/user-tokens").expect(200);
    assertThat(list.text()).contains(minted.at("/id")).doesNotContain(secret);
    Client page = holder(minted);
    page.post("/api/jobs", later()).problem(403, "forbidden");
    page.get("/api/jobs").expect(200);
  }

  @Test
  void nobody_gives_away_more_than_they_have() {
    Client anna = rig.boundTo("anna");

    mint(anna, "{\"user\":\"ben\"}").problem(403, "forbidden");
    assertThat(mint(anna, "{}").expect(201).at("/user")).isEqualTo("anna");
    Client narrow =
        admin.with(
            admin
                .post(
                    "/api/admin/keys",
                    "{\"name\":\"n\",\"role\":\"user\",\"effects\":[\"sketch/draft\"],"
                        + "\"workspace\":\"w\",\"scopes\":[\"jobs:read\",\"tokens:write\"]}")
                .expect(201)
                .at("/secret"));
    mint(narrow, "{\"user\":\"u\",\"effects\":[\"sketch/flow\"]}").problem(403, "forbidden");
    mint(narrow, "{\"user\":\"u\",\"workspace\":\"v\"}").problem(403, "forbidden");
    mint(narrow, "{\"user\":\"u\",\"scopes\":[\"jobs:write\"]}").problem(403, "forbidden");
    Answer same = mint(narrow, "{\"user\":\"u\"}").expect(201);
    assertThat(same.at("/workspace")).isEqualTo("w");
    assertThat(same.json().path("effects").toString()).isEqualTo("[\"sketch/draft\"]");
    assertThat(same.json().path("scopes").toString()).isEqualTo("[\"jobs:read\"]");
  }

  @Test
  void what_a_token_can_not_be_is_named() {
    assertThat(
            mint(
                    admin,
                    "{\"jobs\":0,\"minutes\":1441,\"scopes\":[\"keys:write\"],\"effects\":[],"
                        + "\"role\":\"admin\"}")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactlyInAnyOrder("/user", "/jobs", "/minutes", "/scopes", "/effects", "/role");
  }

  @Test
  void an_ended_token_is_dead_on_every_node_within_seconds() {
    Answer minted = mint(admin, "{\"user\":\"anna\"}");
    Client page = holder(minted);
    page.get("/api/jobs").expect(200);
    try (MillraceServer other = rig.another()) {
      Client elsewhere = new Client(page.http(), other.url(), page.key());
      elsewhere.get("/api/jobs").expect(200);

      admin.delete("/api/user-tokens/" + minted.at("/id")).expect(204);

      await().atMost(MEMORY).until(() -> page.get("/api/jobs").status() == 401);
      await().atMost(MEMORY).until(() -> elsewhere.get("/api/jobs").status() == 401);
    }
    page.get("/api/jobs").problem(401, "unauthenticated");
    admin.delete("/api/user-tokens/" + minted.at("/id")).problem(404, "not_found");
    assertThat(admin.get("/api/user-tokens").text()).doesNotContain(minted.at("/id"));
  }

  @Test
  void a_token_ends_with_the_key_that_made_it() {
    var key = rig.newKey("user", "");
    Client page = holder(mint(admin.with(key.path("secret").asString()), "{\"user\":\"anna\"}"));
    page.get("/api/jobs").expect(200);

    admin.delete("/api/admin/keys/" + key.path("id").asString()).expect(204);

    await().atMost(MEMORY).until(() -> page.get("/api/jobs").status() == 401);
  }

  @Test
  void a_foreign_tenants_token_is_one_that_does_not_exist() {
    String slug = "t" + UUID.randomUUID();
    Client foreign =
        admin.with(
            admin
                .post("/api/admin/tenants", "{\"slug\":\"%s\"}".formatted(slug))
                .expect(201)
                .at("/admin_key"));
    String id = mint(admin, "{\"user\":\"anna\"}").expect(201).at("/id");

    foreign.delete("/api/user-tokens/" + id).problem(404, "not_found");

    assertThat(foreign.get("/api/user-tokens").expect(200).json().path("items")).isEmpty();
    Client page = holder(mint(foreign, "{\"user\":\"anna\"}"));
    admin.post("/api/admin/tenants/" + slug + "/suspend", "").expect(200);
    await().atMost(MEMORY).until(() -> page.get("/api/jobs").status() == 403);
    page.get("/api/jobs").problem(403, "tenant_suspended");
  }

  @Test
  void of_many_jobs_at_once_on_two_nodes_a_token_is_good_for_as_many_as_it_says() throws Exception {
    String user = user();
    rig.credit(user, 1_000);
    Answer minted = mint(admin, "{\"user\":\"%s\",\"jobs\":7}".formatted(user)).expect(201);
    Client page = holder(minted);
    try (MillraceServer other = rig.another()) {
      Client elsewhere = new Client(page.http(), other.url(), page.key());
      String batch = "{\"mode\":\"partial\",\"jobs\":[%s,%s]}".formatted(later(), later());

      List<Answer> answers =
          Together.times(
              40,
              n -> {
                Client node = n % 2 == 0 ? page : elsewhere;
                return n % 5 == 0
                    ? node.post("/api/batches", batch)
                    : node.post("/api/jobs", later());
              });

      for (Answer answer : answers) {
        assertThat(answer.status()).as(answer::text).isIn(201, 403);
        if (answer.status() == 403) {
          answer.problem(403, "token_used_up");
        }
      }
    }
    String jobs =
        rig.ask(
            "select count(*) from job j join wallet w on w.tenant_id = j.tenant_id"
                + " and w.id = j.wallet_id where w.user_id = '"
                + user
                + "'");
    // What a batch took too much may have kept a single job out for a moment, and is given back.
    while (page.post("/api/jobs", later()).status() == 201) {
      jobs = Integer.toString(Integer.parseInt(jobs) + 1);
    }
    assertThat(jobs).isEqualTo("7");
    assertThat(used(minted.at("/id"))).isEqualTo(7);
  }

  @Test
  void what_is_not_accepted_costs_no_job() {
    String user = user();
    Answer minted = mint(admin, "{\"user\":\"%s\",\"jobs\":2}".formatted(user)).expect(201);
    Client page = holder(minted);

    page.post("/api/jobs", later()).problem(402, "insufficient_credits");
    page.post("/api/jobs", "{\"effect\":\"sketch/none\"}").problem(422, "invalid_request");
    page.post("/api/batches", "{\"mode\":\"all_or_nothing\",\"jobs\":[%s]}".formatted(later()))
        .problem(422, "batch_refused");
    assertThat(used(minted.at("/id"))).isZero();

    rig.credit(user, 100);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ids.add(page.post("/api/jobs", later(), "Idempotency-Key", "k" + i).expect(201).at("/id"));
    }
    page.post("/api/jobs", later(), "Idempotency-Key", "k2").problem(403, "token_used_up");
    assertThat(page.post("/api/jobs", later(), "Idempotency-Key", "k1").expect(200).at("/id"))
        .isEqualTo(ids.get(1));
    page.post("/api/jobs/" + ids.get(0) + "/cancel", "").expect(200);
    page.post("/api/jobs/" + ids.get(0) + "/retry", "{}").problem(403, "token_used_up");
    page.post("/api/batches", "{\"mode\":\"partial\",\"jobs\":[%s]}".formatted(later()))
        .problem(403, "token_used_up");
    assertThat(used(minted.at("/id"))).isEqualTo(2);
  }
}
