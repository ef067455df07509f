package dev.millrace.worker.comfy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.comfy.FakeComfyUi;
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

/** A ComfyUI that answers and can't work costs no job its deadline, and has to prove itself. */
class HungComfyUiTest {

  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir private Path place;
  private final FakeMillrace server = new FakeMillrace();
  private final FakeComfyUi comfy = new FakeComfyUi();

  @AfterEach
  void stop() {
    server.close();
    comfy.close();
  }

  @Test
  void a_hung_job_goes_back_before_its_deadline_and_no_other_is_taken() {
    server.deadline(4);
    try (Rig rig = rig(LONG)) {
      FakeJob job = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      comfy.hang();
      await().until(() -> server.interruptions(job) == 1);
      FakeJob next = server.submit(Templates.slow(1));
      await().until(() -> server.notReady().contains("comfyui"));
      await().until(() -> probes() == 1);
      assertThat(server.attempts(job)).isEqualTo(1);
      assertThat(server.attempts(next)).isZero();
      comfy.release();
      await().until(() -> server.state(job).equals("completed"));
      await().until(() -> server.state(next).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void after_a_lease_that_was_lost_while_nothing_moved_no_other_job_is_taken() {
    server.leases(1, 0.2);
    try (Rig rig = rig(Duration.ofMillis(500))) {
      FakeJob job = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      comfy.hang();
      long until = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      await().until(() -> System.nanoTime() - until > 0);
      server.takeAway(job);
      FakeJob next = server.submit(Templates.slow(1));
      await().until(() -> server.notReady().contains("comfyui"));
      assertThat(server.attempts(next)).isZero();
      assertThat(rig.ended()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST /upload/image", "POST /prompt"})
  void an_error_before_the_prompt_was_accepted_is_not_the_jobs_and_the_worker_rests(String call) {
    Map<String, Object> asset = server.asset("photo", new byte[5], "image/png");
    comfy.refuse(call, Reply.text(500, "Server got itself in trouble"));
    comfy.refuse(call, Reply.text(503, "Server got itself in trouble"));
    try (Rig rig = rig(LONG)) {
      FakeJob job = server.submit(Templates.invert().with("assets", List.of(asset)));
      await().until(() -> server.interruptions(job) == 1);
      await().until(() -> server.notReady().contains("job back"));
      await().atMost(Duration.ofSeconds(30)).until(() -> server.state(job).equals("completed"));
      assertThat(probes()).isPositive();
      assertThat(rig.logged()).contains("comfyui.resting", "comfyui.recovered");
    }
  }

  @Test
  void a_device_that_has_failed_gets_no_job_until_something_was_computed_on_it() {
    Map<String, Object> asset = server.asset("photo", new byte[5], "image/png");
    comfy.refuse("POST /upload/image", Reply.text(500, "Server got itself in trouble"));
    try (Rig rig = rig(LONG)) {
      FakeJob fine = server.submit(Templates.invert().with("assets", List.of(asset)));
      await().atMost(Duration.ofSeconds(30)).until(() -> server.state(fine).equals("completed"));
      int before = probes();
      comfy.failDevice();
      FakeJob job = server.submit(Templates.throwing("ImageBlur", "image"));
      await().until(() -> server.state(job).equals("failed:retryable"));
      assertThat(server.reason(job)).contains("CUDA error");
      FakeJob next = server.submit(Templates.throwing("ImageBlur", "image"));
      await().atMost(Duration.ofSeconds(30)).until(() -> probes() >= before + 2);
      assertThat(server.notReady()).contains("comfyui");
      assertThat(server.attempts(next)).isZero();
      comfy.crash();
      comfy.restart();
      await().atMost(Duration.ofSeconds(30)).until(() -> server.state(next).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void an_error_while_the_output_is_fetched_costs_nothing_if_it_passes() {
    comfy.refuse("GET /view", Reply.text(503, "unavailable"));
    try (Rig rig = rig(LONG)) {
      FakeJob job = server.submit(Templates.slow(1));
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.attempts(job)).isEqualTo(1);
      assertThat(rig.ended()).isNull();
    }
  }

  private int probes() {
    return (int)
        comfy.posted().stream()
            .filter(body -> body.path("prompt_id").asString("").startsWith("millrace-probe"))
            .count();
  }

  private Rig rig(Duration pause) {
    WorkerSettings.ComfyUi settings =
        new WorkerSettings.ComfyUi(comfy.url(), Duration.ofMillis(50), LONG, LONG);
    return Rig.of(
        server,
        place.resolve("work"),
        1,
        (web, log) -> new ComfyUiExecutor(web, settings, pause, log));
  }
}
