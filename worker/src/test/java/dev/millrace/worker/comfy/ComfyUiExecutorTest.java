package dev.millrace.worker.comfy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.testkit.comfy.FakeComfyUi;
import dev.millrace.worker.fake.FakeJob;
import dev.millrace.worker.fake.FakeMillrace;
import dev.millrace.worker.fake.Rig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs as prompts of a ComfyUI: what it makes, what it refuses, and how it fails. */
class ComfyUiExecutorTest {

  @TempDir private Path place;
  private final FakeMillrace server = new FakeMillrace();
  private final FakeComfyUi comfy = new FakeComfyUi();

  @AfterEach
  void stop() {
    server.close();
    comfy.close();
  }

  @Test
  void an_input_is_uploaded_once_and_put_where_its_placeholder_is() {
    Map<String, Object> asset = server.asset("photo", new byte[99], "image/png");
    try (Rig rig = rig()) {
      FakeJob first = server.submit(Templates.invert().with("assets", List.of(asset)));
      await().until(() -> server.state(first).equals("completed"));
      FakeJob second = server.submit(Templates.invert().with("assets", List.of(asset)));
      await().until(() -> server.state(second).equals("completed"));
      assertThat(comfy.uploads()).isEqualTo(1);
      String name =
          comfy.posted().get(1).path("prompt").path("1").path("inputs").path("image").asString("");
      assertThat(name).startsWith("millrace-").endsWith(".png");
      assertThat(new String(server.content(first, 0), StandardCharsets.UTF_8))
          .contains("SaveImage of ");
      await().until(() -> rig.scratch().isEmpty());
    }
  }

  @Test
  void a_prompt_has_the_attempts_id_a_client_and_names_of_its_own_for_files() {
    try (Rig rig = rig()) {
      FakeJob job = server.submit(Templates.slow(1));
      await().until(() -> server.state(job).equals("completed"));
      var posted = comfy.posted().getFirst();
      String id = posted.path("prompt_id").asString("");
      assertThat(id).matches("[0-9a-f-]{36}");
      assertThat(posted.path("client_id").asString("")).isNotEmpty();
      assertThat(
              posted.path("prompt").path("9").path("inputs").path("filename_prefix").asString(""))
          .isEqualTo("millrace/" + id + "/slow");
      FakeJob same = server.submit(Templates.slow(1));
      await().until(() -> server.state(same).equals("completed"));
      assertThat(server.content(same, 0)).isNotEqualTo(server.content(job, 0));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void files_that_comfyui_has_lost_are_uploaded_again() {
    Map<String, Object> asset = server.asset("photo", new byte[99], "image/png");
    try (Rig rig = rig()) {
      FakeJob first = server.submit(Templates.invert().with("assets", List.of(asset)));
      await().until(() -> server.state(first).equals("completed"));
      comfy.loseInputs();
      FakeJob second = server.submit(Templates.invert().with("assets", List.of(asset)));
      await().until(() -> server.state(second).equals("completed"));
      assertThat(comfy.uploads()).isEqualTo(2);
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void progress_comes_from_the_websocket() {
    try (Rig rig = rig()) {
      FakeJob job = server.submit(Templates.slow(20));
      await()
          .untilAsserted(
              () -> assertThat(server.heartbeats(job).toString()).contains("Running TestSleep"));
      comfy.release();
      await().until(() -> server.state(job).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void the_wanted_node_is_found_whatever_its_outputs_are_called() {
    Map<String, String> cases =
        Map.of(
            "5", "image/webp",
            "7", "video/mp4",
            "10", "video/mp4",
            "11", "audio/flac",
            "12", "application/json");
    try (Rig rig = rig()) {
      cases.forEach((node, type) -> {
        FakeJob job = server.submit(Templates.everyKind().with("output_node", node));
        await().until(() -> server.state(job).equals("completed"));
        assertThat(server.outputs(job)).hasSize(1);
        assertThat(server.outputs(job).getFirst().path("media_type").asString("")).isEqualTo(type);
      });
      FakeJob all = server.submit(Templates.everyKind());
      await().until(() -> server.state(all).equals("completed"));
      assertThat(server.outputs(all)).as("all that is saved, no preview").hasSize(5);
      FakeJob preview = server.submit(Templates.everyKind().with("output_node", "8"));
      await().until(() -> server.state(preview).equals("completed"));
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void a_graph_that_comfyui_refuses_is_a_permanent_failure_that_says_where() {
    try (Rig rig = rig()) {
      FakeJob job = server.submit(Templates.missingFile());
      await().until(() -> server.state(job).equals("failed:permanent"));
      assertThat(server.reason(job)).contains("LoadImage (node 1)", "not-there.png");
      FakeJob unknown =
          server.submit(Templates.of(Map.of("2", Templates.node("NoSuchNode", Map.of()))));
      await().until(() -> server.state(unknown).equals("failed:permanent"));
      assertThat(server.reason(unknown)).contains("NoSuchNode");
      FakeJob none = server.submit(new FakeJob("demo"));
      await().until(() -> server.state(none).equals("failed:permanent"));
      assertThat(rig.logged()).doesNotContain("not-there.png");
    }
  }

  @Test
  void a_graph_whose_wanted_output_is_invalid_is_refused_though_comfyui_takes_the_rest() {
    try (Rig rig = rig()) {
      FakeJob broken = server.submit(Templates.partlyBroken().with("output_node", "8"));
      await().until(() -> server.state(broken).equals("failed:permanent"));
      FakeJob fine = server.submit(Templates.partlyBroken().with("output_node", "9"));
      await().until(() -> server.state(fine).equals("completed"));
      assertThat(comfy.waiting()).isZero();
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void what_a_node_throws_decides_whether_another_attempt_makes_sense() {
    Map<String, Object> corrupt =
        server.asset("photo", "corrupt".getBytes(StandardCharsets.UTF_8), "image/png");
    try (Rig rig = rig()) {
      FakeJob memory = server.submit(Templates.throwing("TestOutOfMemory"));
      await().until(() -> server.state(memory).equals("failed:retryable"));
      assertThat(comfy.freed()).isEqualTo(1);
      FakeJob runtime = server.submit(Templates.throwing("TestSyncError"));
      await().until(() -> server.state(runtime).equals("failed:retryable"));
      FakeJob picture = server.submit(Templates.invert().with("assets", List.of(corrupt)));
      await().until(() -> server.state(picture).equals("failed:permanent"));
      assertThat(server.reason(picture))
          .contains("UnidentifiedImageError")
          .doesNotContain("/opt/comfy");
      await().until(() -> rig.scratch().isEmpty());
    }
  }

  @Test
  void the_operators_graph_stays_here_unless_the_workflow_wants_it_kept() {
    try (Rig rig = rig()) {
      FakeJob bare = server.submit(Templates.slow(1));
      await().until(() -> server.state(bare).equals("completed"));
      assertThat(new String(server.content(bare, 0), StandardCharsets.ISO_8859_1))
          .contains("SaveImage of ")
          .doesNotContain("the operator's graph");
      FakeJob kept = server.submit(Templates.slow(1).with("keep_metadata", true));
      await().until(() -> server.state(kept).equals("completed"));
      assertThat(new String(server.content(kept, 0), StandardCharsets.ISO_8859_1))
          .contains("the operator's graph");
      assertThat(server.outputs(kept).toString()).doesNotContain("slow");
      assertThat(rig.ended()).isNull();
    }
  }

  @Test
  void what_the_operator_has_installed_and_where_is_not_told() {
    try (Rig rig = rig()) {
      FakeJob job = server.submit(Templates.scaled("bogus"));
      await().until(() -> server.state(job).equals("failed:permanent"));
      assertThat(server.reason(job)).contains("bogus").doesNotContain("lanczos");
      assertThat(rig.ended()).isNull();
    }
  }

  private Rig rig() {
    return Templates.rig(server, comfy, place, 1);
  }
}
