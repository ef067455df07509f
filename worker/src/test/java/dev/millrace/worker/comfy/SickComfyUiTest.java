package dev.millrace.worker.comfy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.comfy.FakeComfyUi;
import dev.millrace.testkit.net.Reply;
import dev.millrace.worker.fake.FakeJob;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.Rig;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ComfyUI that is ill costs its jobs an interruption and nothing more, and gets no others. */
class SickComfyUiTest {

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
  void a_job_whose_prompt_is_never_executed_goes_back_and_no_other_is_taken() {
    comfy.killExecutor();
    try (Rig rig = rig(1, LONG, Duration.ofMillis(300))) {
      FakeJob job = server.submit(Templates.slow(1));
      await().until(() -> server.interruptions(job) == 1);
      assertThat(server.reason(job)).contains("progress");
      await().until(() -> server.notReady().contains("comfyui"));
      FakeJob next = server.submit(Templates.slow(1));
      await().until(() -> comfy.posted().size() == 2);
      assertThat(server.attempts(job)).isEqualTo(1);
      assertThat(server.attempts(next)).isZero();
      comfy.crash();
      comfy.restart();
      await().until(() -> server.state(job).equals("completed"));
      await().until(() -> server.state(next).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_prompt_that_stays_running_without_a_word_is_withdrawn_and_goes_back() {
    try (Rig rig = rig(1, LONG, Duration.ofMillis(600))) {
      FakeJob job = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      comfy.hang();
      await().until(() -> server.interruptions(job) == 1);
      assertThat(comfy.interrupts()).singleElement().asString().contains("prompt_id");
      await().until(() -> server.notReady().contains("comfyui"));
      comfy.release();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.interruptions(job)).isEqualTo(1);
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void an_executor_that_dies_in_mid_job_costs_an_interruption() {
    try (Rig rig = rig(1, LONG, Duration.ofMillis(600))) {
      FakeJob job = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      comfy.killExecutor();
      await().until(() -> server.interruptions(job) == 1);
      comfy.restartEmpty();
      comfy.release();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_slow_prompt_that_goes_on_is_left_alone_however_long_it_takes() {
    try (Rig rig = rig(2, LONG, Duration.ofSeconds(2))) {
      FakeJob first = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      FakeJob second = server.submit(Templates.slow(30));
      await().until(() -> comfy.waiting() == 1);
      long until = System.nanoTime() + Duration.ofSeconds(4).toNanos();
      await().until(() -> System.nanoTime() - until > 0);
      assertThat(server.interruptions(first) + server.interruptions(second)).isZero();
      comfy.release();
      await().until(() -> server.state(second).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_comfyui_that_stays_away_is_an_interruption_and_no_job_is_taken_meanwhile() {
    try (Rig rig = rig(1, Duration.ofMillis(300), LONG)) {
      FakeJob job = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      comfy.crash();
      await().until(() -> server.interruptions(job) == 1);
      await().until(() -> server.notReady().contains("comfyui"));
      assertThat(server.attempts(job)).isEqualTo(1);
      comfy.restart();
      comfy.release();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_job_that_was_never_posted_goes_back_at_once() {
    try (Rig rig = rig(1, LONG, LONG)) {
      await().until(() -> server.calls("poll") > 0);
      comfy.crash();
      FakeJob job = server.submit(Templates.slow(1));
      await().until(() -> server.interruptions(job) > 0 || !server.notReady().isEmpty());
      await().until(() -> server.state(job).equals("queued"));
      comfy.restart();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_comfyui_that_accepts_and_never_answers_gets_no_job_and_the_server_hears_of_it() {
    comfy.fallSilent();
    try (Rig rig = rig(1, LONG, LONG)) {
      FakeJob job = server.submit(Templates.slow(1));
      await().atMost(Duration.ofSeconds(30)).until(() -> server.notReady().contains("comfyui"));
      assertThat(server.attempts(job)).isZero();
      comfy.answerAgain();
      await().atMost(Duration.ofSeconds(30)).until(() -> server.state(job).equals("completed"));
      assertThat(server.interruptions(job)).isZero();
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void an_error_after_the_prompt_was_accepted_does_not_run_it_twice() {
    comfy.answerInstead("POST /prompt", Reply.text(500, "Server got itself in trouble"));
    try (Rig rig = rig(1, LONG, LONG)) {
      FakeJob job = server.submit(Templates.slow(1));
      await().until(() -> server.state(job).equals("completed"));
      assertThat(comfy.posted()).hasSize(1);
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void half_an_answer_about_the_queue_does_not_mean_that_the_prompt_is_lost() {
    try (Rig rig = rig(1, LONG, LONG)) {
      FakeJob job = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      for (int i = 0; i < 4; i++) {
        comfy.answerInstead(
            "GET /queue", Reply.bytes(200, "application/json", "{\"queue_run".getBytes(US_ASCII)));
        comfy.answerInstead("GET /queue", Reply.text(500, "Server got itself in trouble"));
      }
      await().until(() -> comfy.repliesLeft() == 0);
      comfy.release();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(comfy.posted()).hasSize(1);
      assertThat(rig.ended()).isNull();
    }
  }

  private Rig rig(int slots, Duration away, Duration stall) {
    return Templates.rig(server, comfy, place.resolve("work"), slots, away, stall);
  }
}
