package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much a user may do at once and in a day. */
class LimitApiPgTest {

  private static final String PATH = "/api/admin/wallets/limits";

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client admin;
  private String user;
  private Client client;

  @BeforeAll
  static void start() {
    rig = ServerRig.start(folder, "EXECUTOR_SLOTS=0", "QUOTA_ACTIVE_JOBS=5");
    admin = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @BeforeEach
  void a_user_with_credits() {
    // A day that ends in the middle of a law begins to count anew.
    await().until(() -> LocalTime.now(ZoneOffset.UTC).isBefore(LocalTime.of(23, 59, 30)));
    user = "u-" + UUID.randomUUID();
    rig.credit(user, 100);
    client = rig.boundTo(user);
  }

  @AfterEach
  void everyInvariantHolds() {
    rig.examine();
  }

  private Answer limit(String fields) {
    return admin.put(PATH, "{\"user\":\"%s\"%s}".formatted(user, fields));
  }

  private void submit(int count) {
    for (int i = 0; i < count; i++) {
      client.submitted();
    }
  }

  @Test
  void the_sixth_live_job_is_refused_until_one_ends() {
    submit(4);
    String last = client.submitted();

    Answer refused = client.submitDraft().problem(429, "too_many_active_jobs");

    assertThat(refused.header("retry-after")).contains("5");
    assertThat(refused.at("/limit")).isEqualTo("5");
    assertThat(client.get("/api/wallet").text()).contains("\"balance\":95,\"reserved\":5");
    client.post("/api/jobs/" + last + "/cancel", "").expect(200);
    client.submitDraft().expect(201);
    client.submitDraft().problem(429, "too_many_active_jobs");
  }

  @Test
  void many_submits_at_once_keep_within_the_limit() throws Exception {
    List<Answer> answers = Together.times(50, _ -> client.submitDraft());

    assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(5);
    assertThat(answers).filteredOn(answer -> answer.status() == 429).hasSize(45);
  }

  @Test
  void an_admin_sets_another_limit_for_one_user() {
    assertThat(admin.get(PATH + "?user=" + user).expect(200).text())
        .isEqualTo(
            """
            {"user":"%s","active_jobs":null,"daily_jobs":null,"storage_bytes":null,"active_now":0,\
            "today":0}\
            """
                .formatted(user));

    assertThat(limit(",\"active_jobs\":1").expect(200).at("/active_jobs")).isEqualTo("1");
    submit(1);
    client.submitDraft().problem(429, "too_many_active_jobs");
    limit(",\"active_jobs\":0").expect(200);
    submit(6);
    Answer unset = limit(",\"active_jobs\":null").expect(200);

    assertThat(unset.json().path("active_jobs").isNull()).isTrue();
    assertThat(unset.at("/active_now") + unset.at("/today")).isEqualTo("77");
    client.submitDraft().problem(429, "too_many_active_jobs");
    assertThat(
            admin.get("/api/admin/audit?action=wallet.limits&target=" + user).json().path("items"))
        .hasSize(3);
  }

  @Test
  void the_jobs_of_a_day_are_counted_also_when_they_have_ended() {
    limit(",\"daily_jobs\":2").expect(200);
    submit(1);
    client.post("/api/jobs/" + client.submitted() + "/cancel", "").expect(200);

    Answer refused = client.submitDraft().problem(429, "daily_quota_used_up");

    assertThat(refused.at("/limit")).isEqualTo("2");
    assertThat(Instant.parse(refused.at("/resets_at"))).isAfter(Instant.now());
    assertThat(Long.parseLong(refused.header("retry-after").orElseThrow())).isBetween(1L, 86_400L);
    rig.database().execute("update wallet set day = day - 1 where user_id = '" + user + "'");
    assertThat(admin.get(PATH + "?user=" + user).at("/today")).isEqualTo("0");
    client.submitDraft().expect(201);
  }

  @Test
  void a_limit_for_a_user_who_never_came_waits_for_them() {
    String stranger = "u-" + UUID.randomUUID();

    admin.put(PATH, "{\"user\":\"%s\",\"active_jobs\":7}".formatted(stranger)).expect(200);

    assertThat(admin.get(PATH + "?user=" + stranger).at("/active_jobs")).isEqualTo("7");
    assertThat(admin.get("/api/wallet?user=" + stranger).at("/balance")).isEqualTo("0");
  }

  @Test
  void what_is_no_limit_is_refused_and_only_admins_may_ask() {
    assertThat(
            limit(",\"active_jobs\":-1,\"daily_jobs\":\"many\",\"weekly\":3")
                .problem(422, "invalid_request")
                .wrongPaths())
        .containsExactlyInAnyOrder("/active_jobs", "/daily_jobs", "/weekly");
    assertThat(admin.put(PATH, "{}").problem(422, "invalid_request").wrongPaths())
        .containsExactly("/user");
    client.get(PATH).problem(403, "forbidden");
    rig.as("reviewer").put(PATH, "{\"user\":\"x\"}").problem(403, "forbidden");
  }
}
