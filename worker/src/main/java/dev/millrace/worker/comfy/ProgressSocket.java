package dev.millrace.worker.comfy;

import dev.millrace.spi.executor.JobContext;
import dev.millrace.worker.http.AnswerJson;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Hears from ComfyUI how far a prompt is. Only a convenience: it may come late, break off or miss
 * things, so what it hears never decides anything but when to look.
 */
final class ProgressSocket implements WebSocket.Listener {

  private static final int LONGEST = 4 * 1024 * 1024;
  private static final Set<String> ENDS =
      Set.of("execution_success", "execution_error", "execution_interrupted");

  private final String promptId;
  private final Map<String, Object> graph;
  private final JobContext job;
  private final Runnable look;
  private final Runnable moved;
  private final StringBuilder text = new StringBuilder();
  private final Set<String> cached = new HashSet<>();
  private int best;
  private volatile boolean open = true;

  /**
   * A listener.
   *
   * @param look is run when it is worth looking into the history
   * @param moved is run whenever something is heard of the prompt
   */
  ProgressSocket(
      String promptId, Map<String, Object> graph, JobContext job, Runnable look, Runnable moved) {
    this.promptId = promptId;
    this.graph = graph;
    this.job = job;
    this.look = look;
    this.moved = moved;
  }

  boolean isOpen() {
    return open;
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
    if (text.length() + data.length() <= LONGEST) {
      text.append(data);
    }
    if (last) {
      message(AnswerJson.read(text.toString().getBytes(StandardCharsets.UTF_8)));
      text.setLength(0);
    }
    socket.request(1);
    return null;
  }

  /** Pictures of what is in the making; nobody asked for them. */
  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
    moved.run();
    socket.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
    open = false;
    look.run();
    return null;
  }

  @Override
  public void onError(WebSocket socket, Throwable error) {
    open = false;
    look.run();
  }

  /** Package-private for tests that replay what a real one sent. */
  void message(JsonNode message) {
    JsonNode data = message.path("data");
    if (!data.path("prompt_id").asString("").equals(promptId)) {
      return;
    }
    moved.run();
    String type = message.path("type").asString("");
    if (ENDS.contains(type)) {
      look.run();
    } else if (type.equals("execution_cached")) {
      data.path("nodes").forEach(node -> cached.add(node.asString("")));
    } else if (type.equals("progress_state")) {
      state(data.path("nodes"));
    }
  }

  /** The share of nodes that are done, and of the running one what it says of itself. */
  private void state(JsonNode nodes) {
    double done = cached.size();
    String running = "";
    for (Map.Entry<String, JsonNode> node : nodes.properties()) {
      if (cached.contains(node.getKey())) {
        continue;
      }
      JsonNode state = node.getValue();
      boolean finished = state.path("state").asString("").equals("finished");
      double most = state.path("max").asDouble(1);
      done +=
          finished ? 1 : Math.clamp(state.path("value").asDouble(0) / Math.max(most, 1e-9), 0, 1);
      if (!finished) {
        running = node.getKey();
      }
    }
    int percent = (int) (5 + 90 * Math.min(1, done / Math.max(1, graph.size())));
    if (percent > best && !running.isEmpty()) {
      best = percent;
      job.progress(percent, "generating", "Running " + classOf(running));
    }
  }

  private String classOf(String node) {
    return graph.get(node) instanceof Map<?, ?> map ? String.valueOf(map.get("class_type")) : node;
  }
}
