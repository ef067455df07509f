package dev.millrace.worker.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.comfy.FakeComfyCloud;
import dev.millrace.testkit.net.Reply;
import dev.millrace.worker.fake.FakeJob;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.Rig;
import dev.millrace.worker.settings.WorkerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cloud that gives no clear answer is never paid twice, and its jobs haven't failed. */
class CloudTroubleTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final CloudTimes PATIENT = new CloudTimes(LONG, LONG, LONG);

  @TempDir private Path place;
  private final FakeMillrace server = new FakeMillrace();
  private final FakeComfyCloud cloud = new FakeComfyCloud();

  @AfterEach
  void stop() {
    server.close();
    cloud.close();
  }

  @Test
  void a_job_that_is_listed_late_after_an_unanswered_submit_is_not_bought_again() {
    cloud.listLate();
    cloud.loseNextPromptAnswer();
    try (Rig rig = rig(PATIENT)) {
      FakeJob job = server.submit(job());
      await().until(() -> cloud.listings() > 2);
      cloud.listNow();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(cloud.submits()).isEqualTo(1);
      assertThat(server.attempts(job)).isEqualTo(1);
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_submit_that_is_still_not_listed_after_a_while_goes_back_and_is_bought_once() {
    cloud.nextPrompt(Reply.text(502, "bad gateway"));
    try (Rig rig = rig(new CloudTimes(LONG, SHORT, LONG))) {
      FakeJob job = server.submit(job());
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.interruptions(job)).isEqualTo(1);
      assertThat(cloud.submits()).isEqualTo(1);
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_worker_that_was_killed_while_it_submitted_looks_for_its_job_before_it_buys() {
    cloud.listLate();
    cloud.loseNextPromptAnswer();
    Rig killed = rig(PATIENT);
    FakeJob job = server.submit(job());
    await().until(() -> cloud.listings() > 0);
    killed.kill();
    cloud.listNow();
    try (Rig rig = rig(PATIENT)) {
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.attempts(job)).isEqualTo(1);
      assertThat(cloud.submits()).isEqualTo(1);
      assertThat(rig.logged()).contains("cloud.adopted");
    }
  }

  @Test
  void what_an_earlier_attempt_has_just_bought_is_given_time_to_be_listed() {
    cloud.listLate();
    cloud.loseNextPromptAnswer();
    Rig killed = rig(PATIENT);
    FakeJob job = server.submit(job());
    await().until(() -> cloud.listings() > 0);
    killed.kill();
    server.endLease(job);
    long before = cloud.listings();
    try (Rig rig = rig(PATIENT)) {
      await().until(() -> cloud.listings() > before + 2);
      cloud.listNow();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.attempts(job)).isEqualTo(2);
      assertThat(cloud.submits()).isEqualTo(1);
      assertThat(rig.ended()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /api/job//status", "GET /api/jobs/", "GET /api/jobs"})
  void an_error_while_an_earlier_purchase_is_looked_for_does_not_mean_that_there_is_none(
      String call) {
    FakeJob job = boughtByAKilledWorker();
    cloud.answerInstead(call, Reply.text(500, "internal error"));
    cloud.answerInstead(call, Reply.json(429, Map.of("message", "slower")));
    try (Rig rig = rig(PATIENT)) {
      await().atMost(LONG).until(() -> server.state(job).equals("completed"));
      assertThat(cloud.repliesLeft()).isZero();
      assertThat(cloud.submits()).isEqualTo(1);
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void an_earlier_purchase_is_found_behind_many_newer_jobs_of_the_account() {
    FakeJob job = boughtByAKilledWorker();
    cloud.submitOthers(150);
    try (Rig rig = rig(PATIENT)) {
      await().until(() -> server.state(job).equals("completed"));
      assertThat(cloud.submits()).isEqualTo(1);
      assertThat(rig.logged()).contains("cloud.adopted");
    }
  }

  @Test
  void an_earlier_purchase_that_has_ended_badly_is_bought_again_at_once() {
    FakeJob job = boughtByAKilledWorker();
    cloud.statuses("error", "completed");
    try (Rig rig = rig(PATIENT)) {
      await().until(() -> server.state(job).equals("completed"));
      assertThat(cloud.submits()).isEqualTo(2);
      assertThat(rig.ended()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 402, 429, 503})
  void a_refused_upload_is_not_the_jobs_fault_and_the_worker_rests(int status) {
    cloud.answerInstead("POST /api/upload/image", Reply.json(status, Map.of("message", "no")));
    Map<String, Object> asset = server.asset("photo", new byte[5], "image/png");
    try (Rig rig = rig(PATIENT)) {
      FakeJob job = server.submit(job().with("assets", List.of(asset)));
      await().until(() -> server.interruptions(job) == 1);
      if (status != 503) {
        await().until(() -> server.notReady().contains("comfy-cloud refused the account"));
      }
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_key_that_is_still_refused_after_the_rest_gets_no_job() {
    try (Rig rig = rig(new CloudTimes(LONG, SHORT, Duration.ZERO))) {
      await().until(() -> server.calls("poll") > 0);
      cloud.refuseKey(true);
      FakeJob job = server.submit(job());
      await().until(() -> server.interruptions(job) == 1);
      await().until(() -> cloud.listings() > 1);
      await().until(() -> server.notReady().contains("comfy-cloud refused the account"));
      assertThat(server.attempts(job)).isEqualTo(1);
      cloud.refuseKey(false);
      await().until(() -> server.state(job).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_cloud_that_does_not_say_how_the_job_is_interrupts_it_and_the_purchase_is_kept() {
    cloud.statuses("thinking");
    try (Rig rig = rig(new CloudTimes(SHORT, LONG, LONG))) {
      FakeJob job = server.submit(job());
      await().until(() -> server.interruptions(job) == 1);
      cloud.statuses("completed");
      await().until(() -> server.state(job).equals("completed"));
      assertThat(cloud.submits()).isEqualTo(1);
      assertThat(rig.ended()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /api/view", "GET /api/jobs/"})
  void an_error_while_the_result_is_fetched_costs_nothing_if_it_passes(String call) {
    cloud.answerInstead(call, Reply.text(503, "unavailable"));
    try (Rig rig = rig(PATIENT)) {
      FakeJob job = server.submit(job());
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.attempts(job)).isEqualTo(1);
      assertThat(rig.ended()).isNull();
    }
  }

  private FakeJob boughtByAKilledWorker() {
    cloud.statuses("in_progress");
    Rig killed = rig(PATIENT);
    FakeJob job = server.submit(job());
    await().until(() -> cloud.calls().stream().anyMatch(call -> call.endsWith("/status")));
    killed.kill();
    server.endLease(job);
    cloud.statuses("completed");
    return job;
  }

  private static FakeJob job() {
    Map<String, Object> load =
        Map.of("class_type", "LoadImage", "inputs", Map.of("image", "{{photo}}"));
    Map<String, Object> save =
        Map.of("class_type", "SaveImage", "inputs", Map.of("filename_prefix", "x"));
    return new FakeJob("demo").with("template", Map.of("1", load, "9", save));
  }

  private Rig rig(CloudTimes times) {
    WorkerSettings.ComfyCloud settings =
        new WorkerSettings.ComfyCloud(
            cloud.url(),
            new WorkerSettings.Secret(FakeComfyCloud.KEY),
            Duration.ofMillis(20),
            Duration.ofHours(1));
    return Rig.of(
        server,
        place.resolve("work"),
        1,
        (web, log) -> new CloudExecutor(web, settings, times, log));
  }
}
