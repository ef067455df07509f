package dev.millrace.testkit.comfy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What was recorded from a real ComfyUI is said to the double, which must answer the same way. */
class ComfyRecordingsTest {

  private static final JsonNode RECORDED = Recordings.read("comfyui.json");

  private final FakeComfyUi comfy = new FakeComfyUi();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    client.close();
    comfy.close();
  }

  @Test
  void uploads_are_named_as_comfyui_names_them() throws Exception {
    for (String name :
        new String[] {
          "upload_image",
          "upload_image_again_same_bytes",
          "upload_image_same_name_other_bytes",
          "upload_image_subfolder_overwrite",
          "upload_image_traversal",
          "upload_image_no_file",
          "upload_video_via_image_endpoint"
        }) {
      JsonNode answer = replay(name);
      assertThat(answer).as(name).isEqualTo(RECORDED.path(name).path("response").path("body"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prompt_err_bad_link",
        "prompt_err_empty",
        "prompt_err_missing_class_type",
        "prompt_err_missing_file",
        "prompt_err_missing_input",
        "prompt_err_no_outputs",
        "prompt_err_no_prompt_key",
        "prompt_err_not_json",
        "prompt_err_unknown_class",
        "prompt_err_value_not_in_list",
        "cors_cross_origin_post",
        "history_unknown",
        "queue_empty",
        "free",
        "interrupt_idle_empty_body",
        "history_delete_one",
        "view_missing",
        "view_no_filename",
        "view_traversal"
      })
  void a_single_question_gets_the_recorded_answer(String name) throws Exception {
    replay("upload_image");
    replay(name);
  }

  @Test
  void a_prompt_its_rerun_and_its_file() throws Exception {
    replay("upload_image");
    history("history_success", replay("prompt_ok"));
    assertThat(replay("view_output")).isNotNull();
    history("history_cached_rerun", replay("prompt_rerun"));
    comfy.loseOutputs();
    assertThat(status("/view?filename=out_00001_.png&subfolder=job-1&type=output")).isEqualTo(404);
  }

  @Test
  void an_id_of_ones_own_is_taken_and_not_deduplicated() throws Exception {
    replay("upload_image");
    replay("prompt_own_id");
    JsonNode again = replay("prompt_own_id_again");
    assertThat(again.path("prompt_id"))
        .isEqualTo(RECORDED.path("prompt_own_id").path("request").path("json").path("prompt_id"));
    await().until(() -> !comfy.busy() && comfy.waiting() == 0);
    history("history_own_id_after_two_runs", again);
    replay("prompt_nonuuid_id");
    replay("prompt_partial_ok");
    assertThat(comfy.posted()).hasSize(4);
  }

  @Test
  void errors_while_it_runs_end_with_empty_outputs() throws Exception {
    replay("upload_image");
    finished(replay("prompt_ok"));
    history("history_execution_error", replay("prompt_exec_error"));
    upload("corrupt.png", "corrupt".getBytes(StandardCharsets.UTF_8));
    JsonNode recorded =
        RECORDED.path("history_execution_error_corrupt_input").path("response").path("body");
    ObjectNode body = Replies.object();
    body.set("prompt", graphOf(recorded));
    history("history_execution_error_corrupt_input", post("/prompt", body));
  }

  @Test
  void a_fully_cached_prompt_without_a_client_says_success_and_nothing_else() throws Exception {
    JsonNode recorded =
        RECORDED.path("history_fully_cached_without_client_id").path("response").path("body");
    ObjectNode body = Replies.object();
    body.set("prompt", graphOf(recorded));
    finished(post("/prompt", body));
    history("history_fully_cached_without_client_id", post("/prompt", body));
  }

  @Test
  void videos_are_told_as_images() throws Exception {
    history("history_video_webp_preview", replay("prompt_video"));
    replay("view_video");
  }

  @Test
  void a_running_and_a_waiting_prompt_are_taken_away_each_in_its_own_way() throws Exception {
    JsonNode queue = RECORDED.path("queue_one_running_one_pending").path("response").path("body");
    JsonNode running = post("/prompt", item(queue.path("queue_running").path(0)));
    await().until(comfy::busy);
    JsonNode waiting = post("/prompt", item(queue.path("queue_pending").path(0)));
    JsonNode now = Replies.read(get("/queue").body());
    ((ObjectNode) queue.path("queue_running").path(0).path(3)).remove("job");
    assertThat(Recordings.differences(queue, now)).isEmpty();
    replay("interrupt_other_prompt_id");
    assertThat(comfy.busy()).isTrue();
    replay("queue_delete_pending");
    assertThat(comfy.waiting()).isZero();
    assertThat(get("/history/" + waiting.path("prompt_id").asString("")).body()).isEqualTo("{}");
    replay("interrupt_running");
    JsonNode recorded = RECORDED.path("history_interrupted").path("response").path("body");
    ((ObjectNode) recorded.path(running.path("prompt_id").asString("")).path("prompt").path(3))
        .remove("job");
    history("history_interrupted", running);
  }

  @Test
  void a_restart_loses_queue_and_history() throws Exception {
    replay("upload_image");
    JsonNode posted = replay("prompt_ok");
    finished(posted);
    comfy.crash();
    comfy.restart();
    assertThat(get("/history/" + posted.path("prompt_id").asString("")).body()).isEqualTo("{}");
    replay("queue_after_server_restart");
    assertThat(replay("prompt_ok").has("prompt_id")).as("its files are still there").isTrue();
  }

  /** Sends a recorded request, compares status, type and shape, and returns the answer. */
  private JsonNode replay(String name) throws IOException, InterruptedException {
    JsonNode recorded = RECORDED.path(name);
    HttpResponse<String> answer =
        client.send(
            Replies.request(comfy.url(), recorded.path("request")), BodyHandlers.ofString());
    return Replies.check(name, recorded.path("response"), answer);
  }

  /** Waits for the prompt's end and compares its history; ids differ, of course. */
  private void history(String name, JsonNode posted) throws IOException, InterruptedException {
    String id = finished(posted);
    JsonNode recorded = RECORDED.path(name).path("response").path("body");
    String old = recorded.propertyNames().iterator().next();
    JsonNode expected = Replies.read(recorded.toString().replace(old, id));
    assertThat(Recordings.differences(expected, Replies.read(get("/history/" + id).body())))
        .as(name)
        .isEmpty();
  }

  private String finished(JsonNode posted) {
    String id = posted.path("prompt_id").asString("");
    await().until(() -> get("/history/" + id).body().contains("status_str"));
    return id;
  }

  private static JsonNode graphOf(JsonNode history) {
    return history.iterator().next().path("prompt").path(2);
  }

  private static ObjectNode item(JsonNode item) {
    ObjectNode body = Replies.object();
    body.set("prompt", item.path(2));
    body.set("prompt_id", item.path(1));
    body.set("client_id", item.path(3).path("client_id"));
    return body;
  }

  private int status(String path) throws IOException, InterruptedException {
    return get(path).statusCode();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(comfy.url() + path)).build(), BodyHandlers.ofString());
  }

  private JsonNode post(String path, JsonNode body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(comfy.url() + path))
            .POST(BodyPublishers.ofString(body.toString()))
            .build();
    return Replies.read(client.send(request, BodyHandlers.ofString()).body());
  }

  private void upload(String name, byte[] content) throws IOException, InterruptedException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(
        ("--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"" + name + "\"\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
    body.write(content);
    body.write("\r\n--b--\r\n".getBytes(StandardCharsets.UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(comfy.url() + "/upload/image"))
            .header("Content-Type", "multipart/form-data; boundary=b")
            .POST(BodyPublishers.ofByteArray(body.toByteArray()))
            .build();
    client.send(request, BodyHandlers.discarding());
  }
}
