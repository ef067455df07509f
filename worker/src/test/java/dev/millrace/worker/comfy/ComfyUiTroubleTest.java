package dev.millrace.worker.comfy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.comfy.FakeComfyUi;
import dev.millrace.testkit.net.Reply;
import dev.millrace.worker.fake.FakeJob;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.Rig;
import dev.millrace.worker.http.Web;
import dev.millrace.worker.run.Why;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A prompt is run once, whatever crashes: the worker, ComfyUI, or the connection between them. */
class ComfyUiTroubleTest {

  @TempDir private Path place;
  private final FakeMillrace server = new FakeMillrace();
  private final FakeComfyUi comfy = new FakeComfyUi();

  @AfterEach
  void stop() {
    server.close();
    comfy.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "%PNG and nonsense {`class_type`: `X`}     | retryable",
        "a new kind of file {`class_type`: `X`}    | permanent",
      })
  void a_file_out_of_which_the_graph_cannot_be_taken_is_not_delivered(String text, String kind) {
    byte[] broken =
        text.replace("%PNG", "\u0089PNG\r\n\u001a\n").replace('`', '"').getBytes(ISO_8859_1);
    comfy.answerInstead("GET /view", Reply.bytes(200, "image/png", broken));
    try (Rig rig = Templates.rig(server, comfy, place.resolve("work"), 1)) {
      FakeJob job = server.submit(Templates.slow(1));
      await().until(() -> server.state(job).equals("failed:" + kind));
      assertThat(server.reason(job)).contains("graph");
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_restarted_worker_finds_its_running_prompt_instead_of_posting_it_twice() {
    Rig killed = rig(1);
    FakeJob job = server.submit(Templates.slow(20));
    await().until(comfy::busy);
    killed.kill();
    try (Rig rig = rig(1)) {
      await().until(() -> rig.logged().contains("job.resumed"));
      comfy.release();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(comfy.posted()).hasSize(1);
      assertThat(server.attempts(job)).isEqualTo(1);
    }
  }

  @Test
  void the_next_attempt_takes_what_an_earlier_one_has_left_running() {
    Rig killed = rig(1);
    FakeJob job = server.submit(Templates.slow(20));
    await().until(comfy::busy);
    killed.kill();
    server.endLease(job);
    try (Rig rig = rig(1)) {
      await().until(() -> rig.logged().contains("prompt.adopted"));
      comfy.release();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.attempts(job)).isEqualTo(2);
      assertThat(comfy.posted()).hasSize(1);
    }
  }

  @Test
  void a_lost_answer_to_a_post_does_not_run_the_prompt_twice() {
    comfy.loseNextPromptAnswer();
    try (Rig rig = rig(1)) {
      FakeJob job = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      comfy.release();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(comfy.posted()).hasSize(1);
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_comfyui_that_is_restarted_in_mid_job_gets_the_prompt_again() {
    try (Rig rig = rig(1)) {
      FakeJob job = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      comfy.crash();
      comfy.restart();
      await().until(() -> comfy.posted().size() == 2);
      comfy.release();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(server.attempts(job)).isEqualTo(1);
      await().until(() -> rig.scratch().isEmpty());
    }
  }

  @Test
  void a_job_that_kills_comfyui_again_is_a_retryable_failure() {
    try (Rig rig = rig(1)) {
      FakeJob job = server.submit(Templates.slow(20));
      for (int i = 1; i <= 2; i++) {
        int posts = i;
        await().until(() -> comfy.posted().size() == posts);
        // A crash before the answer was read is no second one: it is posted again as never posted.
        await().until(() -> comfy.busy() && comfy.lookedFor());
        comfy.crash();
        comfy.restart();
      }
      await().until(() -> server.state(job).equals("failed:retryable"));
      assertThat(server.reason(job)).contains("lost the prompt");
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_cancel_interrupts_that_prompt_alone() {
    try (Rig rig = rig(2)) {
      FakeJob first = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      FakeJob second = server.submit(Templates.slow(30));
      await().until(() -> comfy.waiting() == 1);
      server.cancel(second);
      await().until(() -> server.state(second).equals("canceled"));
      await().until(() -> comfy.waiting() == 0);
      assertThat(comfy.busy()).isTrue();
      assertThat(comfy.interrupts()).isEmpty();
      server.cancel(first);
      await().until(() -> server.state(first).equals("canceled"));
      await().until(() -> !comfy.busy());
      assertThat(comfy.interrupts()).singleElement().asString().contains("prompt_id");
      await().until(() -> rig.scratch().isEmpty());
    }
  }

  @Test
  void a_requeued_job_is_taken_out_of_comfyui() {
    try (Rig rig = rig(1)) {
      FakeJob job = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      rig.drain(Why.SPOT, Duration.ZERO);
      await().until(rig::isOver);
      assertThat(server.reason(job)).isEqualTo("spot");
      await().until(() -> !comfy.busy());
    }
  }

  @Test
  void a_prompt_that_somebody_else_interrupts_can_be_tried_again() throws Exception {
    try (Rig rig = rig(1);
        Web web = new Web()) {
      FakeJob job = server.submit(Templates.slow(20));
      await().until(comfy::busy);
      web.post(URI.create(comfy.url() + "/interrupt"), Map.of(), Map.of(), Duration.ofMinutes(1));
      await().until(() -> server.state(job).equals("failed:retryable"));
      assertThat(rig.ended()).isNull();
    }
  }

  private Rig rig(int slots) {
    return Templates.rig(server, comfy, place.resolve("work"), slots);
  }
}
