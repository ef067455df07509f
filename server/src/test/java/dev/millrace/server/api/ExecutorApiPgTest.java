package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.rig.Answer;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.ServerRig;
import dev.millrace.server.rig.Sse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What becomes of a job whose attempts fail, and of its credits. */
@Timeout(180)
class ExecutorApiPgTest {

  @TempDir static Path folder;

  private static ServerRig rig;
  private static Client client;

  @BeforeAll
  static void start() {
    rig =
        ServerRig.start(
            folder,
            "MAX_FAILURES=2",
            "BACKOFF_BASE_SECONDS=1",
            "BACKOFF_CAP_SECONDS=1",
            "WELCOME_CREDITS=0");
    client = rig.admin();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @AfterEach
  void everyInvariantHolds() {
    rig.examine();
  }

  private static Client rich(String user) {
    rig.credit(user, 10);
    return rig.boundTo(user);
  }

  private static JsonNode attempts(String id) {
    return client.get("/api/jobs/" + id + "/receipt").expect(200).json().path("attempts");
  }

  @Test
  void a_failure_that_passes_is_tried_again_and_paid_once() {
    Client user = rich("once");
    String id = user.submitted("\"fail\":\"once\"");

    Answer job = user.awaitJob(id, "completed");

    assertThat(job.at("/attempt")).isEqualTo("2");
    assertThat(job.at("/failures")).isEqualTo("1");
    assertThat(job.json().path("error").isNull()).isTrue();
    assertThat(job.json().path("outputs")).hasSize(1);
    assertThat(user.balance()).isEqualTo(9);
    assertThat(attempts(id).values())
        .extracting(attempt -> attempt.path("outcome").asString())
        .containsExactly("failed", "completed");
  }

  @Test
  void a_failure_for_good_is_refunded() {
    Client user = rich("permanent");
    Answer job = user.awaitJob(user.submitted("\"fail\":\"permanent\""), "failed");

    assertThat(job.at("/error/code")).isEqualTo("failed");
    assertThat(job.at("/error/message")).isEqualTo("The sketch was asked to fail for good.");
    assertThat(job.at("/credits/refunded")).isEqualTo("1");
    assertThat(job.at("/attempt")).isEqualTo("1");
    assertThat(user.balance()).isEqualTo(10);
  }

  @Test
  void what_a_safety_filter_refuses_is_paid() {
    Client user = rich("safety");
    Answer job = user.awaitJob(user.submitted("\"fail\":\"safety\""), "rejected");

    assertThat(job.at("/error/code")).isEqualTo("safety");
    assertThat(job.at("/credits/captured")).isEqualTo("1");
    assertThat(job.json().path("outputs")).isEmpty();
    assertThat(user.balance()).isEqualTo(9);
  }

  @Test
  void a_provider_that_crashes_uses_up_the_tries_and_is_refunded() {
    Client user = rich("crash");
    String id = user.submitted("\"fail\":\"crash\"");

    Answer job = user.awaitJob(id, "dead_letter");

    assertThat(job.at("/failures")).isEqualTo("2");
    assertThat(job.at("/interruptions")).isEqualTo("0");
    assertThat(job.at("/error/code")).isEqualTo("unavailable");
    assertThat(job.at("/error/message")).isEqualTo("The executor broke down.");
    assertThat(user.balance()).isEqualTo(10);
    assertThat(attempts(id)).hasSize(2);
  }

  @Test
  void progress_before_a_quiet_phase_is_not_held_back_until_the_next_heartbeat() throws Exception {
    try (ServerRig slow =
        ServerRig.start(
            folder.resolve("slow"),
            "HEARTBEAT_SECONDS=600",
            "LEASE_SECONDS=1800",
            "FLEET_SILENCE_SECONDS=1800",
            "CANCEL_GRACE_SECONDS=600")) {
      Client watcher = slow.admin();
      String id = watcher.submitted("\"delay_seconds\":500");
      try (Sse stream = watcher.stream("/api/jobs/" + id + "/stream")) {
        Sse.Frame frame = stream.nextEvent().orElseThrow();
        while (frame.json().path("type").asString().equals("transition")) {
          frame = stream.nextEvent().orElseThrow();
        }
        assertThat(frame.json().path("step").asString()).isEqualTo("composing");
        assertThat(frame.json().path("state").asString()).isEqualTo("running");
      }
    }
  }
}
