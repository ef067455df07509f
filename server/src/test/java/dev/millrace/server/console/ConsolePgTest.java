package dev.millrace.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Console;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.Guest;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.web.console.frame.SignIn;
import dev.millrace.web.console.job.JobList;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets in, and what each may do: the console's promises over plain HTTP. */
class ConsolePgTest {

  private static final List<String> ADMIN_PAGES =
      List.of(
          "overview",
          "queues",
          "workers",
          "webhooks",
          "providers",
          "dead-letters",
          "tasks",
          "ledger",
          "catalogue",
          "keys",
          "audit");

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

  @Test
  void a_browser_is_led_to_the_console_and_a_program_to_the_facts() {
    HttpResponse<String> person = rig.console().get("/", "");
    assertThat(person.statusCode()).isEqualTo(303);
    assertThat(person.headers().firstValue("location")).contains("console");
    assertThat(rig.admin().get("/").good().path("name").asString()).isEqualTo("Millrace");
  }

  @Test
  void without_a_session_every_page_leads_to_signing_in() {
    for (String page : List.of("", "/studio", "/jobs", "/overview", "/keys")) {
      HttpResponse<String> answer = rig.console().get("/console" + page, "");
      assertThat(answer.statusCode()).as(page).isEqualTo(303);
      assertThat(answer.headers().firstValue("location").orElseThrow())
          .startsWith("/console/sign-in?to=");
    }
  }

  @Test
  void a_key_signs_in_and_a_wrong_one_does_not() {
    assertThat(rig.console().guest(rig.key()).get("/console/overview").statusCode()).isEqualTo(200);
    HttpResponse<String> refused =
        rig.console().post("/console/sign-in", "", Map.of("key", rig.key() + "x"));
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().allValues("set-cookie")).isEmpty();
  }

  @Test
  void the_session_cookie_is_for_this_site_alone_and_out_of_reach_of_scripts() {
    HttpResponse<String> in = rig.console().post("/console/sign-in", "", Map.of("key", rig.key()));
    assertThat(in.headers().firstValue("set-cookie").orElseThrow())
        .contains("HttpOnly", "SameSite=Strict", "Path=/console");
  }

  @Test
  void a_link_signs_in_once() {
    URI link = rig.server().consoleLink(rig.key()).orElseThrow();
    String path = link.getPath();
    assertThat(rig.console().get(path, "").body()).contains("signs you in once");
    HttpResponse<String> first = rig.console().post(path, "", Map.of());
    assertThat(first.statusCode()).isEqualTo(303);
    assertThat(rig.console().get("/console/overview", Console.cookie(first)).statusCode())
        .isEqualTo(200);
    assertThat(rig.console().post(path, "", Map.of()).statusCode()).isEqualTo(410);
    assertThat(rig.console().get(path, "").statusCode()).isEqualTo(410);
  }

  @Test
  void signing_out_ends_the_session_on_the_server() {
    Guest guest = rig.console().guest(rig.key());
    assertThat(guest.post("/console/sign-out", Map.of()).statusCode()).isEqualTo(303);
    assertThat(guest.get("/console/studio").statusCode()).isEqualTo(303);
  }

  @Test
  void a_session_dies_with_its_key() {
    String key = rig.newSecret("admin", "");
    Guest guest = rig.console().guest(key);
    assertThat(guest.get("/console/keys").statusCode()).isEqualTo(200);
    String id =
        rig.admin().get("/api/admin/keys").good().path("items").values().stream()
            .filter(each -> key.startsWith(each.path("prefix").asString()))
            .findFirst()
            .orElseThrow()
            .path("id")
            .asString();
    rig.admin().delete("/api/admin/keys/" + id).good();
    assertThat(guest.get("/console/keys").statusCode()).isEqualTo(303);
  }

  @Test
  void a_change_without_its_token_is_refused_and_changes_nothing() {
    Guest guest = rig.console().guest(rig.key());
    for (Map<String, String> form :
        List.of(Map.<String, String>of(), Map.of("csrf", "wrong"), Map.of("csrf", ""))) {
      assertThat(
              rig.console().post("/console/queues/sketch/pause", guest.cookie(), form).statusCode())
          .isEqualTo(403);
    }
    String other = rig.console().guest(rig.key()).csrf();
    assertThat(
            rig.console()
                .post("/console/queues/sketch/pause", guest.cookie(), Map.of("csrf", other))
                .statusCode())
        .isEqualTo(403);
    assertThat(rig.admin().get("/api/admin/queues/sketch").good().path("paused").asBoolean(true))
        .isFalse();
  }

  @Test
  void a_form_from_another_site_is_refused() {
    Guest guest = rig.console().guest(rig.key());
    Map<String, String> form = Map.of("csrf", guest.csrf());
    assertThat(
            rig.console()
                .post(
                    "/console/queues/sketch/pause",
                    guest.cookie(),
                    form,
                    "Sec-Fetch-Site",
                    "cross-site")
                .statusCode())
        .isEqualTo(403);
    assertThat(
            rig.console()
                .post(
                    "/console/sign-in",
                    "",
                    Map.of("key", rig.key()),
                    "Origin",
                    "https://elsewhere.example")
                .statusCode())
        .isEqualTo(403);
  }

  @Test
  void a_role_sees_and_does_no_more_than_by_the_api() {
    Guest user = rig.console().guest(rig.newSecret("user", "ada"));
    Guest reviewer = rig.console().guest(rig.newSecret("reviewer", ""));
    for (String page : ADMIN_PAGES) {
      assertThat(user.get("/console/" + page).statusCode()).as(page).isEqualTo(403);
      assertThat(reviewer.get("/console/" + page).statusCode()).as(page).isEqualTo(403);
    }
    assertThat(user.get("/console/review").statusCode()).isEqualTo(403);
    assertThat(reviewer.get("/console/review").statusCode()).isEqualTo(200);
    assertThat(user.post("/console/queues/sketch/pause", Map.of()).statusCode()).isEqualTo(403);
    assertThat(user.get("/console/studio").body()).doesNotContain("/console/keys");
  }

  @Test
  void a_user_sees_only_his_own_jobs_and_files() {
    rig.admin()
        .post(
            "/api/admin/wallets/credit",
            "{\"user\":\"eve\",\"amount\":10,\"idempotency_key\":\"eve\"}")
        .good();
    String hers = rig.admin().askedAs("eve", "sketch/draft", "\"prompt\":\"hers\"");
    await().until(() -> rig.admin().state(hers).equals("completed"));
    String file = rig.admin().get("/api/jobs/" + hers).good().at("/outputs/0/id").asString();
    Guest eve = rig.console().guest(rig.newSecret("user", "eve"));
    Guest bob = rig.console().guest(rig.newSecret("user", "bob"));

    assertThat(eve.get("/console/jobs/" + hers).statusCode()).isEqualTo(200);
    assertThat(eve.get("/console/files/" + file).statusCode()).isEqualTo(200);
    assertThat(bob.get("/console/jobs/" + hers).statusCode()).isEqualTo(404);
    assertThat(bob.get("/console/jobs/" + hers + "/live").statusCode()).isEqualTo(404);
    assertThat(bob.get("/console/files/" + file).statusCode()).isEqualTo(404);
    assertThat(bob.get("/console/jobs").body()).doesNotContain(hers);
    assertThat(bob.post("/console/jobs/" + hers + "/delete", Map.of()).statusCode()).isEqualTo(404);
  }

  @Test
  void a_page_hears_of_a_turn_that_came_before_it_was_connected() {
    rig.admin()
        .post(
            "/api/admin/wallets/credit",
            "{\"user\":\"tess\",\"amount\":10,\"idempotency_key\":\"tess\"}")
        .good();
    String job = rig.admin().askedAs("tess", "sketch/draft", "\"prompt\":\"a turn\"");
    await().until(() -> rig.admin().state(job).equals("completed"));
    Guest admin = rig.console().guest(rig.key());
    String live = "/console/jobs/" + job + "/live?shown=";

    assertThat(admin.get(live + "running").body()).contains("#deeds", "#facts");
    assertThat(admin.get(live + "completed").body())
        .contains("event: end")
        .doesNotContain("#deeds");
  }

  @Test
  void other_peoples_prompts_are_masked_and_looking_is_audited() {
    rig.admin()
        .post(
            "/api/admin/wallets/credit",
            "{\"user\":\"sue\",\"amount\":10,\"idempotency_key\":\"sue\"}")
        .good();
    String hers = rig.admin().askedAs("sue", "sketch/draft", "\"prompt\":\"quietwish\"");
    // Its file is named after the prompt, which must not give it away either.
    await().until(() -> rig.admin().state(hers).equals("completed"));
    Guest admin = rig.console().guest(rig.key());

    assertThat(admin.get("/console/jobs/" + hers).body())
        .contains("masked")
        .doesNotContain("quietwish");
    assertThat(admin.get("/console/studio/sketch/draft?from=" + hers).body())
        .doesNotContain("quietwish");
    assertThat(admin.post("/console/jobs/" + hers + "/uncover", Map.of()).body())
        .contains("quietwish");
    assertThat(
            rig.admin()
                .get("/api/admin/audit?action=job.input_uncovered&target=" + hers)
                .good()
                .path("items")
                .size())
        .isEqualTo(1);
    Guest plain = rig.console().guest(rig.newSecret("user", ""));
    assertThat(plain.get("/console/jobs/" + hers).body()).doesNotContain("quietwish");
    assertThat(plain.post("/console/jobs/" + hers + "/uncover", Map.of()).statusCode())
        .isEqualTo(403);
  }

  @Test
  void pages_say_what_they_may_load_and_are_not_kept() {
    HttpResponse<String> page = rig.console().guest(rig.key()).get("/console/overview");
    assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "http");
    assertThat(page.headers().firstValue("cache-control")).contains("no-store");
    assertThat(page.body()).doesNotContain("style=\"", "onclick=", "<script>");
  }

  @Test
  void a_filter_that_is_mistyped_or_another_tenants_matches_nothing() {
    String failed =
        rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"x\",\"fail\":\"permanent\"");
    await().until(() -> rig.admin().state(failed).equals("failed"));
    Guest admin = rig.console().guest(rig.key());
    for (String q : List.of("state:faild", "tenant:acme state:failed")) {
      Map<String, String> form = Map.of("action", "delete", "scope", "all", "q", q);
      assertThat(admin.get("/console/jobs?q=" + JobList.encoded(q)).body()).doesNotContain(failed);
      assertThat(admin.post("/console/jobs-bulk", form).body())
          .contains("None of these jobs can be deleted");
      assertThat(admin.post("/console/jobs-bulk/go", form).statusCode()).isEqualTo(422);
    }
    assertThat(rig.admin().state(failed)).isEqualTo("failed");
    assertThat(
            admin
                .post(
                    "/console/jobs-bulk",
                    Map.of("action", "delete", "scope", "all", "q", "state:failed"))
                .body())
        .contains("Yes, delete 1 job");
  }

  @Test
  void what_is_not_there_is_a_page_too() {
    HttpResponse<String> page = rig.console().guest(rig.key()).get("/console/no/such/page");
    assertThat(page.statusCode()).isEqualTo(404);
    assertThat(page.body()).contains("<h1>Not found</h1>");
  }

  @Test
  void signing_in_leads_to_pages_of_ours_only() {
    assertThat(SignIn.safe("/console/jobs")).isEqualTo("/console/jobs");
    for (String bad :
        List.of(
            "//elsewhere.example",
            "https://elsewhere.example",
            "/api/jobs",
            "/console\r\nX: y",
            "/consoles",
            "/console/..//x\\y")) {
      assertThat(SignIn.safe(bad)).as(bad).isEqualTo("/console");
    }
  }
}
