package dev.millrace.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.OpenIdProvider;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Access tokens of a real OpenID provider, beside keys. */
class JwtApiPgTest {

  @TempDir static Path folder;

  private static OpenIdProvider provider;
  private static ServerRig rig;

  @BeforeAll
  static void start() {
    provider = OpenIdProvider.start("http://127.0.0.1:1", "token");
    rig = ServerRig.start(folder, provider.settings("console"));
    rig.admin().post("/api/admin/tenants", "{\"slug\":\"umbrella\"}").expect(201);
  }

  @AfterAll
  static void stop() {
    if (provider != null) {
      provider.close();
    }
    if (rig != null) {
      rig.examine();
      rig.close();
    }
  }

  private static Client as(String person) {
    return rig.admin().with(provider.programToken(person, OpenIdProvider.AUDIENCE));
  }

  private static void await(Callable<Boolean> met) {
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(met);
  }

  private static void requireBadToken(Answer answer) {
    answer.problem(401, "invalid_token");
    assertThat(answer.header("www-authenticate").orElseThrow())
        .startsWith("Bearer error=\"invalid_token\", error_description=\"This ");
  }

  @Test
  void a_token_has_the_role_and_the_scopes_of_a_key_of_that_role() {
    for (String[] one :
        List.of(
            new String[] {"olga", "operator"},
            new String[] {"adam", "admin"},
            new String[] {"rita", "reviewer"},
            new String[] {"ulla", "user"})) {
      JsonNode me = as(one[0]).get("/api/whoami").expect(200).json();
      JsonNode key = rig.as(one[1]).get("/api/whoami").expect(200).json();
      assertThat(me.path("role").asString()).isEqualTo(one[1]);
      assertThat(me.path("tenant").asString()).isEqualTo("default");
      assertThat(me.path("scopes")).isEqualTo(key.path("scopes"));
      assertThat(me.path("key_prefix").asString())
          .isEqualTo("m-%s@example.org (%s-program)".formatted(one[1], one[0]));
      assertThat(me.path("user").asString(""))
          .isEqualTo(one[0].equals("ulla") ? "ulla-program" : "");
    }
  }

  @Test
  void a_user_works_for_himself_and_for_nobody_else() {
    rig.credit("ulla-program", 50);
    Client ulla = as("ulla");
    String id = ulla.submitted();
    assertThat(ulla.awaitJob(id, "completed").at("/user")).isEqualTo("ulla-program");
    ulla.post("/api/jobs", Client.draft().strip().replaceFirst("\\{", "{\"user\":\"bob\","))
        .problem(403, "forbidden");
    ulla.get("/api/admin/keys").problem(403, "forbidden");
    String foreign = rig.admin().submitted();
    ulla.get("/api/jobs/" + foreign).problem(404, "not_found");
    String ticket =
        ulla.post("/api/tickets", "{\"path\":\"/api/jobs/%s/stream\"}".formatted(id))
            .expect(201)
            .at("/ticket");
    rig.withoutKey().get("/api/jobs/" + id + "/stream?ticket=" + ticket).expect(200);
  }

  @Test
  void the_audit_names_the_person_and_only_a_key_makes_what_ends_with_it() {
    Client adam = as("adam");
    adam.post("/api/admin/keys", "{\"name\":\"by adam\",\"role\":\"user\"}").expect(201);
    assertThat(
            rig.ask(
                "select string_agg(distinct actor, ',') from audit where detail::text like"
                    + " '%by adam%'"))
        .isEqualTo("identity:m-admin@example.org (adam-program)");
    adam.post("/api/user-tokens", "{\"user\":\"bob\"}").problem(403, "forbidden");
    adam.post("/api/console/links", "{}").problem(403, "forbidden");
    adam.post("/api/admin/keys", "{\"name\":\"too much\",\"role\":\"operator\"}")
        .problem(403, "forbidden");
  }

  @Test
  void who_has_no_role_or_no_tenant_here_is_told_so() {
    assertThat(as("nora").get("/api/whoami").problem(403, "no_access").at("/detail"))
        .contains("MILLRACE_IDENTITY_ROLES");
    assertThat(as("lena").get("/api/whoami").problem(403, "no_access").at("/detail"))
        .contains("doesn't exist here");
  }

  @Test
  void another_tenants_people_see_their_own_and_a_suspended_tenants_nothing() {
    Client fred = as("fred");
    assertThat(fred.get("/api/whoami").expect(200).at("/tenant")).isEqualTo("umbrella");
    fred.get("/api/jobs/" + rig.admin().submitted()).problem(404, "not_found");
    rig.admin().post("/api/admin/tenants/umbrella/suspend", "{}").expect(200);
    await(() -> fred.get("/api/whoami").status() == 403);
    fred.get("/api/whoami").problem(403, "tenant_suspended");
    rig.admin().post("/api/admin/tenants/umbrella/resume", "{}").expect(200);
  }

  @Test
  void a_token_for_others_or_a_changed_one_is_refused_and_never_logged() {
    String token = provider.programToken("adam", OpenIdProvider.AUDIENCE);
    String[] parts = token.split("\\.", -1);
    String other = provider.programToken("olga", OpenIdProvider.AUDIENCE).split("\\.", -1)[1];
    try (LogLines log = new LogLines()) {
      for (String bad :
          List.of(
              provider.programToken("adam", "https://elsewhere.example"),
              parts[0] + "." + other + "." + parts[2],
              parts[0] + "." + parts[1] + ".",
              "eyJhbGciOiJub25lIn0." + parts[1] + ".",
              token.substring(0, token.length() - 6))) {
        requireBadToken(rig.admin().with(bad).get("/api/whoami"));
      }
      rig.admin().with(token).get("/api/whoami").expect(200);
      assertThat(log.all())
          .noneMatch(line -> line.contains(parts[1]) || line.contains(parts[2]))
          .noneMatch(line -> line.contains(other));
    }
    rig.admin().get("/api/whoami").expect(200);
  }

  @Test
  void keys_of_the_provider_change_and_what_is_remembered_outlives_it() {
    Client before = as("adam");
    before.get("/api/whoami").expect(200);
    provider.stop();
    before.get("/api/whoami").expect(200);
    provider.begin();
    Client after = as("adam");
    // Bad tokens of another test may have caused a look just now; the next is after ten seconds.
    await(() -> after.get("/api/whoami").status() == 200);
    requireBadToken(before.get("/api/whoami"));
    provider.stop();
    after.get("/api/whoami").expect(200);
    // A server that has never reached it can't know, and says so; keys work.
    rig.restart(provider.settings("console"));
    Client again = rig.admin().with(after.key());
    Answer unsure = again.get("/api/whoami");
    unsure.problem(503, "identity_provider_unavailable");
    assertThat(unsure.header("retry-after")).isPresent();
    rig.admin().get("/api/whoami").expect(200);
    provider.begin();
    await(() -> as("adam").get("/api/whoami").status() == 200);
  }
}
