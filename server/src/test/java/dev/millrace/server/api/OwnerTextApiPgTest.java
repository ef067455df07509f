package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What workers say reaches owners without the secrets of the machine, and is never lost for it. */
class OwnerTextApiPgTest {

  private static final List<String> SECRETS =
      List.of(
          "sk-proj-abcdefghijklmnopqrstuvwx1234567890",
          "hf_abcdefghijklmnopqrstuvwxyzABCDEF",
          "AKIAIOSFODNN7EXAMPLE",
          "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
          "hunter2hunter2",
          "/opt/ComfyUI/models",
          "gpu-17.internal");

  private static final String SAID =
      "failed with %s and %s, %s, Bearer %s, password=%s in %s on %s \u202Eoh"
          .formatted(SECRETS.toArray());

  @TempDir static Path folder;
  private static ServerRig rig;
  private static FleetRig.Worker worker;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, FleetRig.settings(folder));
    worker = FleetRig.worker(rig.admin(), "w1", 4, "upscale");
  }

  @AfterAll
  static void stop() {
    rig.examine();
    rig.close();
  }

  private static FleetRig.Work leased() {
    rig.admin().asked("upscale/one", "\"prompt\":\"a fox\"");
    return worker.lease();
  }

  @Test
  void nothing_that_a_worker_says_shows_its_secrets_to_an_owner() {
    FleetRig.Work work = leased();
    String said = '"' + SAID + '"';
    work.tell(
            "heartbeat",
            "\"step\":" + said,
            "\"message\":" + said,
            "\"summary\":{\"note\":" + said + ",\"deep\":[{\"a\":" + said + "}]}")
        .expect(200);
    requireClean(work.id());
    work.tell("requeue", "\"reason\":" + said).expect(200);
    requireClean(work.id());
    FleetRig.Work again = worker.lease();
    again.tell("fail", "\"error_class\":\"permanent\"", "\"message\":" + said).expect(200);
    requireClean(work.id());
    assertThat(rig.admin().job(work.id()).at("/state")).isEqualTo("failed");
  }

  private static void requireClean(String id) {
    for (String path : List.of("", "/events", "/receipt", "/why")) {
      String shown = rig.admin().get("/api/jobs/" + id + path).expect(200).text();
      assertThat(shown).doesNotContain(SECRETS).doesNotContain("\u202E", "\\u202e");
    }
  }

  @Test
  void what_a_name_in_the_summary_says_to_be_secret_is_not_told() {
    FleetRig.Work work = leased();
    String facts =
        """
        {"password":"hunter2","api_key":"abc","host":"gpu-17","steps":20,"note":"fine",
         "deep":[{"token":"short","pin":{"secret":4711}}],
         "credentials":{"user":"bob","words":["open","sesame"]}}\
        """;
    work.tell("heartbeat", "\"summary\":" + facts).expect(200);
    String shown = rig.admin().job(work.id()).json().path("summary").toString();
    assertThat(shown)
        .doesNotContain("hunter2", "abc", "gpu-17", "short", "4711", "bob", "open", "sesame")
        .contains("\"steps\":20", "\"note\":\"fine\"", "\"password\":\"[secret]\"");
    work.tell("complete", "\"outputs\":[{\"text\":\"done\"}]", "\"summary\":" + facts).expect(200);
    assertThat(rig.admin().job(work.id()).text()).doesNotContain("hunter2", "sesame");
  }

  @Test
  void nothing_that_an_admin_writes_shows_its_secrets_to_an_owner() {
    String reason = "\"reason\":\"" + SAID + '"';
    String rejected = rig.admin().asked("upscale/one", "\"prompt\":\"a fox\"");
    String words = "{\"category\":\"violence\"," + reason + '}';
    rig.admin().post("/api/admin/jobs/" + rejected + "/reject", words).expect(200);
    requireClean(rejected);
    rig.admin().post("/api/admin/jobs/" + rejected + "/overturn", '{' + reason + '}').expect(200);
    requireClean(rejected);
    String payment = "{\"user\":\"eve\",\"amount\":5,\"idempotency_key\":\"%s\",\"%s\":\"%s\"}";
    rig.admin()
        .post(
            "/api/admin/wallets/credit",
            payment.formatted("p1", "note", "by " + SECRETS.getFirst()))
        .expect(200);
    rig.admin()
        .post("/api/admin/wallets/adjust", payment.formatted("p2", "reason", SAID))
        .expect(200);
    assertThat(rig.boundTo("eve").get("/api/wallet/ledger").expect(200).text())
        .contains("[secret]")
        .doesNotContain(SECRETS)
        .doesNotContain("\u202E", "\\u202e");
  }

  @Test
  void half_a_key_is_not_told_where_a_step_is_cut() {
    FleetRig.Work work = leased();
    String step = "x".repeat(188) + " sk-proj-abcdefghijklmnopqrstuvwx1234567890";
    work.tell("heartbeat", "\"step\":\"" + step + "\"").expect(200);
    assertThat(rig.admin().job(work.id()).at("/step")).startsWith("xxx").doesNotContain("sk-proj");
    work.complete("done").expect(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\u0000b", "half \\ud83e of it", "\\udd8a"})
  void a_failure_in_broken_text_counts(String text) {
    FleetRig.Work work = leased();
    work.tell("heartbeat", "\"message\":\"" + text + "\"").expect(200);
    work.tell("fail", "\"error_class\":\"permanent\"", "\"message\":\"" + text + "\"").expect(200);
    assertThat(rig.admin().job(work.id()).at("/state")).isEqualTo("failed");
  }

  @Test
  void a_failure_in_very_many_words_counts() {
    FleetRig.Work work = leased();
    String many = "very ".repeat(10_000);
    work.tell("fail", "\"error_class\":\"permanent\"", "\"message\":\"" + many + "\"").expect(200);
    assertThat(rig.admin().job(work.id()).at("/state")).isEqualTo("failed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"150", "-5", "1e300", "99.9"})
  void progress_beyond_its_bounds_is_clamped_and_extends_the_lease(String percent) {
    FleetRig.Work work = leased();
    work.tell("heartbeat", "\"progress\":" + percent).expect(200);
    int shown = Integer.parseInt(rig.admin().job(work.id()).at("/progress"));
    assertThat(shown).isBetween(0, 100);
    work.complete("done").expect(200);
  }

  @Test
  void an_owner_does_not_learn_the_names_of_machines() {
    rig.credit("ada", 10);
    Client ada = rig.boundTo("ada");
    String id = ada.asked("upscale/one", "\"prompt\":\"a fox\"");
    worker.lease().complete("done").expect(200);
    ada.awaitJob(id, "completed");
    assertThat(ada.get("/api/jobs/" + id + "/receipt").expect(200).text()).doesNotContain("w1");
    assertThat(rig.admin().get("/api/jobs/" + id + "/receipt").at("/attempts/0/worker"))
        .isEqualTo("w1");
  }

  @Test
  void an_unknown_query_parameter_is_refused_by_its_name() {
    assertThat(rig.admin().get("/api/jobs?stat=running").problem(422, "invalid_request").text())
        .contains("stat", "state");
    rig.admin().get("/api/jobs?state=running").expect(200);
  }
}
