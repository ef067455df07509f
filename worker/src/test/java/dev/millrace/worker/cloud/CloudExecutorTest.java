package dev.millrace.worker.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.comfy.FakeComfyCloud;
import dev.millrace.testkit.net.Reply;
import dev.millrace.worker.fake.FakeJob;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.Rig;
import dev.millrace.worker.settings.WorkerSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs at Comfy Cloud: each status, each refusal, and nothing bought twice. */
class CloudExecutorTest {

  @TempDir private Path place;
  private final FakeMillrace server = new FakeMillrace();
  private final FakeComfyCloud cloud = new FakeComfyCloud();

  @AfterEach
  void stop() {
    server.close();
    cloud.close();
  }

  @Test
  void a_job_goes_through_every_status_and_its_output_is_fetched_without_the_key() {
    cloud.statuses("waiting_to_dispatch", "pending", "in_progress", "completed");
    Map<String, Object> asset = server.asset("photo", new byte[5], "image/png");
    try (Rig rig = rig()) {
      FakeJob job = server.submit(job().with("assets", List.of(asset)));
      await().until(() -> server.state(job).equals("completed"));
      assertThat(new String(server.content(job, 0), StandardCharsets.UTF_8))
          .contains("cloud picture")
          .doesNotContain("the operator's graph");
      assertThat(cloud.leaked()).isFalse();
      assertThat(cloud.graphs().getFirst().toString()).contains("millrace-").doesNotContain("{{");
      assertThat(rig.logged()).doesNotContain("canary");
      await().until(() -> rig.scratch().isEmpty());
    }
  }

  @Test
  void an_older_cloud_tells_the_outputs_in_its_history() {
    cloud.withoutJobsApi();
    try (Rig rig = rig()) {
      FakeJob job = server.submit(job());
      await().until(() -> server.state(job).equals("completed"));
      assertThat(cloud.calls()).anyMatch(call -> call.contains("/api/history_v2/"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void an_error_ends_the_job_at_once_with_what_the_cloud_says_of_it() {
    cloud.statuses("in_progress", "error");
    cloud.detail(
        Map.of(
            "execution_error",
            Map.of(
                "node_id", "2",
                "node_type", "KSampler",
                "exception_type", "ValueError",
                "exception_message", "bad size")));
    try (Rig rig = rig()) {
      FakeJob job = server.submit(job());
      await().until(() -> server.state(job).equals("failed:permanent"));
      assertThat(server.reason(job)).contains("KSampler (node 2)", "bad size");
      assertThat(rig.ended()).isNull();
    }
  }

  @ParameterizedTest
  @CsvSource({"error", "failed", "cancelled"})
  void any_other_end_can_be_tried_again(String status) {
    cloud.statuses(status);
    try (Rig rig = rig()) {
      FakeJob job = server.submit(job());
      await().until(() -> server.state(job).equals("failed:retryable"));
      assertThat(rig.ended()).isNull();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "402, no credits",
    "429, subscription",
    "401, API key",
  })
  void a_refused_account_is_not_the_jobs_fault_and_rests(int status, String words) {
    cloud.nextPrompt(Reply.json(status, Map.of("message", "no")));
    try (Rig rig = rig()) {
      FakeJob job = server.submit(job());
      await().until(() -> server.interruptions(job) == 1);
      assertThat(server.reason(job)).contains(words);
      await().until(() -> server.notReady().contains("comfy-cloud"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_graph_that_the_cloud_refuses_is_a_permanent_failure() {
    cloud.nextPrompt(
        Reply.json(
            400,
            Map.of(
                "error",
                Map.of("type", "invalid_prompt", "message", "no such node", "details", ""),
                "node_errors",
                Map.of())));
    try (Rig rig = rig()) {
      FakeJob job = server.submit(job());
      await().until(() -> server.state(job).equals("failed:permanent"));
      assertThat(server.reason(job)).contains("no such node");
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_submit_whose_answer_was_lost_is_looked_for_and_not_bought_again() {
    cloud.loseNextPromptAnswer();
    try (Rig rig = rig()) {
      FakeJob job = server.submit(job());
      await().until(() -> server.state(job).equals("completed"));
      assertThat(cloud.submits()).isEqualTo(1);
      assertThat(rig.logged()).contains("cloud.uncertain");
    }
  }

  @Test
  void a_restarted_worker_waits_for_the_job_it_has_bought() {
    cloud.statuses("in_progress");
    Rig killed = rig();
    FakeJob job = server.submit(job());
    await().until(() -> cloud.calls().stream().anyMatch(call -> call.endsWith("/status")));
    killed.kill();
    cloud.statuses("completed");
    try (Rig rig = rig()) {
      await().until(() -> server.state(job).equals("completed"));
      assertThat(cloud.submits()).isEqualTo(1);
      assertThat(rig.logged()).contains("cloud.found");
    }
  }

  @Test
  void a_cancel_takes_the_job_out_of_the_queue_and_interrupts_nobody() {
    cloud.statuses("pending");
    try (Rig rig = rig()) {
      FakeJob job = server.submit(job());
      await().until(() -> cloud.submits() == 1);
      server.cancel(job);
      await().until(() -> server.state(job).equals("canceled"));
      await().until(() -> cloud.calls().contains("POST /api/queue"));
      assertThat(cloud.calls()).contains("POST /api/queue").doesNotContain("POST /api/interrupt");
      assertThat(rig.ended()).isNull();
    }
  }

  private static FakeJob job() {
    Map<String, Object> load =
        Map.of("class_type", "LoadImage", "inputs", Map.of("image", "{{photo}}"));
    Map<String, Object> save =
        Map.of("class_type", "SaveImage", "inputs", Map.of("filename_prefix", "x"));
    return new FakeJob("demo").with("template", Map.of("1", load, "9", save));
  }

  @Test
  void a_job_that_the_cloud_never_begins_is_taken_back_and_returned() {
    cloud.statuses("pending");
    try (Rig rig = rig(Duration.ofMillis(300))) {
      FakeJob job = server.submit(job());
      await().until(() -> server.interruptions(job) == 1);
      assertThat(server.reason(job)).contains("no progress");
      assertThat(cloud.calls()).contains("POST /api/queue");
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_job_that_the_cloud_never_begins_is_returned_before_its_deadline() {
    server.deadline(3);
    cloud.statuses("pending");
    try (Rig rig = rig()) {
      FakeJob job = server.submit(job());
      await().until(() -> server.interruptions(job) == 1);
      assertThat(cloud.calls()).contains("POST /api/queue");
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void what_an_earlier_attempt_has_bought_is_waited_for_and_not_bought_again() {
    cloud.statuses("in_progress");
    Rig killed = rig();
    FakeJob job = server.submit(job());
    await().until(() -> cloud.calls().stream().anyMatch(call -> call.endsWith("/status")));
    killed.kill();
    server.endLease(job);
    cloud.statuses("completed");
    try (Rig rig = rig()) {
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.attempts(job)).isEqualTo(2);
      assertThat(cloud.submits()).isEqualTo(1);
      assertThat(rig.logged()).contains("cloud.adopted");
    }
  }

  @Test
  void an_error_after_the_cloud_has_accepted_buys_nothing_twice() {
    cloud.answerNextPrompt(Reply.text(502, "bad gateway"));
    try (Rig rig = rig()) {
      FakeJob job = server.submit(job());
      await().until(() -> server.state(job).equals("completed"));
      assertThat(cloud.submits()).isEqualTo(1);
      assertThat(rig.logged()).contains("cloud.uncertain");
    }
  }

  private Rig rig() {
    return rig(Duration.ofHours(1));
  }

  private Rig rig(Duration stall) {
    WorkerSettings.ComfyCloud settings =
        new WorkerSettings.ComfyCloud(
            cloud.url(),
            new WorkerSettings.Secret(FakeComfyCloud.KEY),
            Duration.ofMillis(20),
            stall);
    return Rig.of(
        server, place.resolve("work"), 1, (web, log) -> new CloudExecutor(web, settings, log));
  }
}
