package dev.millrace.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Console;
import dev.millrace.server.rig.ConsoleRig;
import dev.millrace.server.rig.Guest;
import dev.millrace.server.rig.ServerRig;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What an operator sees of webhooks, providers, laws and the catalogue, and what stays hidden. */
class OversightPgTest {

  private static final String TOKEN = "r8_" + "Zq7".repeat(11) + "1a2b";

  @TempDir static Path folder;
  private static ServerRig rig;

  @BeforeAll
  static void open() {
    rig = ConsoleRig.start(folder, "REPLICATE_API_TOKEN=" + TOKEN, "DOCTOR_CHECKUP_SECONDS=0");
  }

  @AfterAll
  static void close() {
    rig.close();
  }

  private static String body(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Objects.requireNonNull(answer.body());
  }

  private static String made(Guest admin, String url) {
    String page = admin.shown(admin.post("/console/webhooks", Map.of("url", url)));
    assertThat(page).contains("whsec_");
    return page.replaceAll("(?s).*href=\"/console/webhooks/([0-9a-f-]{36})\".*", "$1");
  }

  @Test
  void a_webhooks_secret_is_shown_when_it_is_made_and_never_again() {
    Guest admin = rig.console().guest(rig.key());
    assertThat(body(admin.get("/console/webhooks"))).contains("./millrace webhooks add");
    String id = made(admin, "https://hooks.invalid/secret");
    for (String page : List.of("/console/webhooks", "/console/webhooks/" + id)) {
      assertThat(body(admin.get(page))).contains("hooks.invalid/secret").doesNotContain("whsec_");
    }
    assertThat(admin.shown(admin.post("/console/webhooks/" + id + "/rotate", Map.of())))
        .contains("whsec_");
    assertThat(body(admin.get("/console/webhooks/" + id))).contains("No. 2");
    assertThat(admin.post("/console/webhooks/" + id + "/delete", Map.of()).statusCode())
        .isEqualTo(303);
    assertThat(admin.get("/console/webhooks/" + id).statusCode()).isEqualTo(404);
  }

  @Test
  void an_endpoint_that_is_refused_says_why_and_is_not_kept() {
    Guest admin = rig.console().guest(rig.key());
    HttpResponse<String> refused =
        admin.post("/console/webhooks", Map.of("url", "http://127.0.0.1:1/x"));
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("can't be sent to");
    assertThat(body(admin.get("/console/webhooks"))).doesNotContain("127.0.0.1:1");
  }

  @Test
  void a_delivery_shows_each_try_and_can_be_sent_again_unless_it_is_disabled() {
    Guest admin = rig.console().guest(rig.key());
    String id = made(admin, "https://hooks.invalid/test");
    String at = "/console/webhooks/" + id;
    assertThat(admin.post(at + "/test", Map.of()).statusCode()).isEqualTo(303);
    String api = "/api/admin/webhooks/" + id + "/deliveries";
    await().until(() -> rig.admin().get(api + "?state=failed").good().path("items").size() == 1);
    String message = rig.admin().get(api).good().at("/items/0/id").asString();
    assertThat(body(admin.get(at + "?state=failed"))).contains("webhook.test", message);
    assertThat(body(admin.get(at + "?state=delivered"))).contains("Nothing was sent");
    assertThat(body(admin.get(at + "/deliveries/" + message))).contains("What is sent", "Tries");

    assertThat(admin.post(at + "/deliveries/" + message + "/redeliver", Map.of()).statusCode())
        .isEqualTo(303);
    assertThat(admin.post(at + "/redeliver", Map.of("since", "1h")).statusCode()).isEqualTo(303);
    admin.post(at + "/disable", Map.of());
    assertThat(body(admin.get(at))).contains("Somebody disabled it");
    assertThat(admin.post(at + "/deliveries/" + message + "/redeliver", Map.of()).statusCode())
        .isEqualTo(409);
    admin.post(at + "/enable", Map.of());
    assertThat(
            admin
                .post(
                    at + "/change",
                    Map.of("url", "https://hooks.invalid/other", "event", "job.failed"))
                .statusCode())
        .isEqualTo(303);
    assertThat(body(admin.get(at))).contains("hooks.invalid/other");
    assertThat(admin.post(at + "/nonsense", Map.of()).statusCode()).isEqualTo(404);
    admin.post(at + "/delete", Map.of());
  }

  @Test
  void a_job_shows_who_was_told_of_it_to_administrators_only() {
    Guest admin = rig.console().guest(rig.key());
    String id = made(admin, "https://hooks.invalid/job");
    String job = rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"an owl\"");
    await().until(() -> body(admin.get("/console/jobs/" + job)).contains("hooks.invalid/job"));
    assertThat(body(rig.console().guest(rig.newSecret("user", "")).get("/console/jobs/" + job)))
        .doesNotContain("hooks.invalid");
    admin.post("/console/webhooks/" + id + "/delete", Map.of());
  }

  @Test
  void nobody_but_an_administrator_sees_or_changes_any_of_it() {
    Guest reviewer = rig.console().guest(rig.newSecret("reviewer", ""));
    for (String page : List.of("webhooks", "providers", "providers/now", "catalogue/check")) {
      assertThat(reviewer.get("/console/" + page).statusCode()).as(page).isEqualTo(403);
    }
    for (String deed : List.of("webhooks", "catalogue/check")) {
      assertThat(reviewer.post("/console/" + deed, Map.of("url", "https://a.example")).statusCode())
          .as(deed)
          .isEqualTo(403);
    }
    Guest admin = rig.console().guest(rig.key());
    assertThat(
            rig.console()
                .post("/console/webhooks", admin.cookie(), Map.of("url", "https://a.example"))
                .statusCode())
        .isEqualTo(403);
  }

  @Test
  void a_providers_key_is_shown_masked_and_reaches_no_page() {
    Guest admin = rig.console().guest(rig.key());
    String page = body(admin.get("/console/providers"));
    assertThat(page)
        .contains("r8_••••••1a2b", "MILLRACE_FAL_API_KEY=… ./millrace start", "sketch")
        .doesNotContain(TOKEN.substring(3, 12));
    JsonNode answer = rig.admin().get("/api/admin/providers").good();
    assertThat(answer.toString()).doesNotContain(TOKEN.substring(3, 12));
    assertThat(answer.toString()).contains("r8_••••••1a2b");
    assertThat(rig.console().get("/metrics", "").body())
        .contains("millrace_provider_breaker_open{provider=\"replicate\"} 0.0");
  }

  @Test
  void what_needs_somebody_is_on_the_overview() {
    Guest admin = rig.console().guest(rig.key());
    String failed =
        rig.admin().askedAs("default", "sketch/draft", "\"prompt\":\"x\",\"fail\":\"permanent\"");
    await().until(() -> rig.admin().state(failed).equals("failed"));
    String id = made(admin, "https://hooks.invalid/failing");
    assertThat(body(admin.get("/console/overview"))).doesNotContain("hooks.invalid/failing");

    rig.database().execute("update webhook set failing_since = clock_timestamp()");
    rig.database()
        .execute(
            """
            insert into late_result (tenant_id, job_id, number, files, summary, received_at)
            select tenant_id, id, 1, '[]', '{}', clock_timestamp()
            from job
            where id = '%s'
            """
                .formatted(failed));
    rig.database()
        .execute(
            """
            update checkup
            set ended_at = clock_timestamp(),
                laws = 30,
                violated = array['Every wallet is the sum of its ledger.']
            """);
    assertThat(body(admin.get("/console/overview")))
        .contains("https://hooks.invalid/failing fails")
        .contains("1 result came after the job had ended")
        .contains("A law is broken: Every wallet is the sum of its ledger.");
    assertThat(body(admin.get("/console/providers"))).contains("Came too late", "Adopt for");

    rig.database().execute("update webhook set disabled_at = now(), disabled_for = 'gone'");
    assertThat(body(admin.get("/console/overview"))).contains("410 Gone");
    rig.database().execute("update checkup set violated = '{}'");
    rig.database().execute("delete from late_result");
    admin.post("/console/webhooks/" + id + "/delete", Map.of());
    assertThat(body(admin.get("/console/overview")))
        .doesNotContain("hooks.invalid", "A law is broken", "came after");
  }

  @Test
  void a_file_of_the_catalogue_is_checked_and_every_mistake_named() {
    Guest admin = rig.console().guest(rig.key());
    String bad =
        """
        workflow: clip
        title: Clip
        executor: nobody
        effects:
          - {effect: clip/short, title: Short, credits_cost: -5}
        """;
    assertThat(body(admin.post("/console/catalogue/check", Map.of("text", bad))))
        .contains("mistakes", "effects[0].credits_cost", "executor")
        .contains("executor: nobody");
    String edited =
        """
        workflow: upscale
        version: 4
        title: Upscale
        executor: worker
        properties:
          factor: {type: integer}
        effects:
          - {effect: upscale/double, title: Double, credits_cost: 9}
        """;
    // It stands in for the file that describes the same workflow.
    assertThat(body(admin.post("/console/catalogue/check", Map.of("text", edited))))
        .contains("All is good.", "upscale/double");
    assertThat(rig.admin().get("/api/effects/upscale/double").good().path("credits_cost").asInt())
        .isEqualTo(8);
  }

  @Test
  void a_key_gets_a_link_that_signs_in_once_without_a_restart() {
    JsonNode link = rig.admin().post("/api/console/links", "").good();
    String path = URI.create(link.path("url").asString()).getPath();
    HttpResponse<String> in = rig.console().post(path, "", Map.of());
    assertThat(in.statusCode()).isEqualTo(303);
    assertThat(rig.console().get("/console/overview", Console.cookie(in)).statusCode())
        .isEqualTo(200);
    assertThat(rig.console().post(path, "", Map.of()).statusCode()).isEqualTo(410);
  }
}
