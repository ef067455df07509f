package dev.millrace.testkit.comfy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a websocket of the double says has the order and the shape of what a real one said. */
class ComfySocketTest {

  private static final JsonNode RECORDED = Recordings.read("comfyui-ws.json");

  private final FakeComfyUi comfy = new FakeComfyUi();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<JsonNode> heard = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    comfy.close();
    client.shutdownNow();
  }

  @Test
  void a_prompt_that_runs_and_one_that_is_cached() throws Exception {
    String graph =
        """
        {"1": {"class_type": "EmptyImage", "inputs": {"color": 5}},
         "2": {"class_type": "TestSleep", "inputs": {"value": ["1", 0], "seconds": 1.0}},
         "9": {"class_type": "SaveImage", "inputs": {"images": ["2", 0]}}}
        """;
    listen();
    run("ws_progress", graph, "execution_success");
    // Its last word comes after its success, and is not the next one's.
    await().until(() -> heard.toString().contains("\"node\":null"));
    run("ws_cached_rerun", graph, "executing");
  }

  @Test
  void a_prompt_that_fails() throws Exception {
    String before =
        """
        {"1": {"class_type": "EmptyImage", "inputs": {"color": 5}},
         "9": {"class_type": "SaveImage", "inputs": {"images": ["1", 0]}}}
        """;
    String graph =
        """
        {"1": {"class_type": "EmptyImage", "inputs": {"color": 5}},
         "2": {"class_type": "TestSyncError", "inputs": {"value": ["1", 0]}},
         "9": {"class_type": "SaveImage", "inputs": {"images": ["2", 0]}}}
        """;
    listen();
    post("/prompt", prompt(before).toString());
    await().until(() -> heard.toString().contains("\"node\":null"));
    run("ws_execution_error", graph, "execution_error");
  }

  @Test
  void a_prompt_that_is_interrupted() throws Exception {
    String graph =
        """
        {"1": {"class_type": "EmptyImage", "inputs": {"color": 5}},
         "2": {"class_type": "TestSleep", "inputs": {"value": ["1", 0], "seconds": 20.0}},
         "9": {"class_type": "SaveImage", "inputs": {"images": ["2", 0]}}}
        """;
    listen();
    post("/prompt", prompt(graph).toString());
    await().until(comfy::busy);
    post("/interrupt", "");
    compare("ws_interrupted", "execution_interrupted");
  }

  private void run(String name, String graph, String last) throws Exception {
    heard.clear();
    post("/prompt", prompt(graph).toString());
    compare(name, last);
  }

  /** The first message of each kind, in the order in which the kinds came. */
  private void compare(String name, String last) {
    await().until(() -> heard.stream().anyMatch(m -> m.path("type").asString("").equals(last)));
    Map<String, JsonNode> firsts = new LinkedHashMap<>();
    for (JsonNode message : heard) {
      if (message.path("data").has("prompt_id")) {
        firsts.putIfAbsent(message.path("type").asString(""), message.path("data"));
      }
    }
    List<String> kinds =
        RECORDED.path(name).valueStream().map(m -> m.path("type").asString("")).toList();
    assertThat(firsts.keySet().stream().limit(kinds.size()))
        .as(name)
        .containsExactlyElementsOf(kinds);
    for (JsonNode message : RECORDED.path(name)) {
      String kind = message.path("type").asString("");
      JsonNode data = firsts.get(kind);
      assertThat(data).as(kind).isNotNull();
      // Which nodes are told of depends on the graph; what is told of one doesn't.
      if (!kind.equals("progress_state") && !name.equals("ws_interrupted")) {
        assertThat(Recordings.differences(message.path("data"), data))
            .as(name + " " + kind)
            .isEmpty();
      }
    }
  }

  private static ObjectNode prompt(String graph) {
    ObjectNode body = Replies.object();
    body.set("prompt", Replies.read(graph));
    return body.put("client_id", "c-1");
  }

  private void post(String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(comfy.url() + path))
            .POST(BodyPublishers.ofString(body))
            .build();
    client.send(request, BodyHandlers.discarding());
  }

  private void listen() throws Exception {
    URI address = URI.create(comfy.url().toString().replace("http", "ws") + "/ws?clientId=c-1");
    StringBuilder text = new StringBuilder();
    client
        .newWebSocketBuilder()
        .buildAsync(
            address,
            new WebSocket.Listener() {
              @Override
              public @Nullable CompletionStage<?> onText(
                  WebSocket socket, CharSequence data, boolean last) {
                text.append(data);
                if (last) {
                  heard.add(Replies.read(text.toString()));
                  text.setLength(0);
                }
                socket.request(1);
                return null;
              }
            })
        .get(30, TimeUnit.SECONDS);
    await().until(() -> !heard.isEmpty());
  }
}
