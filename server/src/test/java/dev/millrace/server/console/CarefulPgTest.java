package dev.millrace.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.Guest;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.web.console.frame.Words;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the console takes care of for people: secrets, their own key, finding and deciding. */
class CarefulPgTest {

  @TempDir static Path folder;
  private static ServerRig rig;

  @BeforeAll
  static void open() {
    rig = ConsoleRig.start(folder);
  }

  @AfterAll
  static void close() {
    rig.close();
  }

  private static String location(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
    return answer.headers().firstValue("location").orElseThrow();
  }

  private static int keys() {
    return rig.admin().get("/api/admin/keys").good().path("items").size();
  }

  @Test
  void a_page_that_shows_a_secret_can_be_loaded_again_without_making_another() {
    Guest admin = rig.console().guest(rig.key());
    int before = keys();
    HttpResponse<String> made =
        admin.post("/console/keys", Map.of("name", "robot", "role", "user"));
    assertThat(location(made)).isEqualTo("/console/shown-once");
    assertThat(made.headers().firstValue("set-cookie").orElseThrow())
        .contains("HttpOnly", "SameSite=Strict", "Path=/console/shown-once");
    assertThat(admin.shown(made)).contains("mr_", "robot");
    // The browser has let go of the cookie by then.
    assertThat(admin.get("/console/shown-once").body())
        .contains("nobody can show it again")
        .doesNotContain("mr_9");
    assertThat(keys()).isEqualTo(before + 1);
  }

  @Test
  void nobody_shuts_himself_out_by_revoking_the_key_he_is_signed_in_with() {
    String secret = rig.newSecret("admin", "");
    Guest admin = rig.console().guest(secret);
    String own = "";
    for (JsonNode key : rig.admin().get("/api/admin/keys").good().path("items").values()) {
      if (secret.startsWith(key.path("prefix").asString())) {
        own = key.path("id").asString();
      }
    }
    assertThat(admin.post("/console/keys/" + own + "/revoke", Map.of()).statusCode())
        .isEqualTo(409);
    assertThat(admin.get("/console/keys").body())
        .contains("you are signed in with it")
        .doesNotContain("/console/keys/" + own + "/revoke");
    Guest other = rig.console().guest(rig.key());
    assertThat(location(other.post("/console/keys/" + own + "/revoke", Map.of())))
        .endsWith("done=key-revoked");
  }

  @Test
  void who_signs_in_comes_to_the_page_with_the_filter_that_was_asked_for() {
    String wanted = "/console/jobs?q=state%3Afailed%2Cexpired+age%3A%3E1h&col=effect";
    String signIn = location(rig.console().get(wanted, ""));
    String to = signIn.substring(signIn.indexOf("to=") + 3);
    String form = rig.console().get("/console/sign-in?to=" + to, "").body();
    assertThat(form).contains(wanted.replace("&", "&amp;"));
    HttpResponse<String> mistyped =
        rig.console().post("/console/sign-in", "", Map.of("key", "mr_mistyped", "to", wanted));
    assertThat(mistyped.statusCode()).isEqualTo(401);
    assertThat(mistyped.body()).contains(wanted.replace("&", "&amp;"));
    HttpResponse<String> in =
        rig.console().post("/console/sign-in", "", Map.of("key", rig.key(), "to", wanted));
    assertThat(location(in)).isEqualTo(wanted);
  }

  @Test
  void a_job_is_found_by_its_id_and_by_what_the_list_shows_of_it() {
    Guest admin = rig.console().guest(rig.key());
    String id = rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"a needle\"");
    rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"hay\"");
    assertThat(location(admin.get("/console/jobs?q=" + id))).isEqualTo("/console/jobs/" + id);
    for (String q : new String[] {Words.shortId(id), "id:" + Words.shortId(id), "id:" + id}) {
      HttpResponse<String> found = admin.get("/console/jobs?q=" + q);
      String page = found.statusCode() == 303 ? location(found) : found.body();
      assertThat(page).contains("/console/jobs/" + id);
    }
    assertThat(admin.get("/console/jobs?q=00000000").body()).contains("match this");
    Guest bob = rig.console().guest(rig.newSecret("user", "bob"));
    assertThat(bob.get("/console/jobs?q=" + id).body()).doesNotContain("/console/jobs/" + id);
  }

  @Test
  void nothing_is_done_to_all_that_match_an_id() {
    Guest admin = rig.console().guest(rig.key());
    String id = rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"stays\"");
    await().until(() -> rig.admin().state(id).equals("completed"));
    Map<String, String> all =
        Map.of("action", "delete", "scope", "all", "q", "id:" + Words.shortId(id));
    assertThat(admin.post("/console/jobs-bulk", all).statusCode()).isEqualTo(422);
    assertThat(admin.post("/console/jobs-bulk/go", all).statusCode()).isEqualTo(422);
    assertThat(rig.admin().state(id)).isEqualTo("completed");
  }

  @Test
  void who_decides_second_is_told_so_and_is_not_refused() {
    Guest admin = rig.console().guest(rig.key());
    String id = rig.admin().askedAs("default", "sketch/proof", "\"prompt\":\"a boat\"");
    await().until(() -> rig.admin().state(id).equals("waiting_review"));
    Map<String, String> whole = Map.of("whole", "yes");
    assertThat(location(admin.post("/console/review/" + id + "/approve", whole)))
        .contains("done=approved&decided=");
    assertThat(location(admin.post("/console/review/" + id + "/approve", whole)))
        .contains("done=decided-before&decided=");
    assertThat(location(admin.post("/console/review/" + id + "/decline", Map.of())))
        .contains("done=decided-before&decided=");
    assertThat(rig.admin().state(id)).isEqualTo("completed");
  }

  @Test
  void of_a_job_with_many_events_the_newest_are_shown() {
    Guest admin = rig.console().guest(rig.key());
    rig.admin().post("/api/admin/workflows/sketch/pause", "").good();
    String id = rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"x\"");
    rig.database()
        .execute(
            """
            insert into job_event (tenant_id, job_id, seq, state, progress, message, attempt, at)
            select tenant_id, id, n, 'running', 1, 'step ' || n, 1, clock_timestamp()
            from job, generate_series(events + 1, 700) n
            where id = '%s'
            """
                .formatted(id));
    rig.database().execute("update job set events = 700 where id = '%s'".formatted(id));
    assertThat(admin.get("/console/jobs/" + id).body())
        .contains("step 700", "step 690")
        .doesNotContain("step 300<");
    rig.admin().post("/api/admin/workflows/sketch/resume", "").good();
  }
}
