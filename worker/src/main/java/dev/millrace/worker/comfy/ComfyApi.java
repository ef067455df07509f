package dev.millrace.worker.comfy;

import dev.millrace.worker.http.Answer;
import dev.millrace.worker.http.AnswerJson;
import dev.millrace.worker.http.AssetDownload;
import dev.millrace.worker.http.Multipart;
import dev.millrace.worker.http.Unreachable;
import dev.millrace.worker.http.Web;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The calls that ComfyUI answers; its cloud answers some of them too, below {@code /api}. */
public final class ComfyApi {

  static final Duration LIMIT = Duration.ofSeconds(15);
  private static final Duration UPLOAD_LIMIT = Duration.ofMinutes(10);

  private final Web web;
  private final URI base;
  private final Map<String, String> headers;

  /**
   * An endpoint.
   *
   * @param base without a slash at the end
   * @param headers that every request carries, and no redirected one
   */
  public ComfyApi(Web web, URI base, Map<String, String> headers) {
    this.web = web;
    this.base = base;
    this.headers = Map.copyOf(headers);
  }

  /** Tells endpoints apart. */
  public URI base() {
    return base;
  }

  /** Uploads a file as an input. The name it gets is in the answer, and may be another one. */
  public Answer upload(Path file, String name, String mediaType)
      throws IOException, InterruptedException {
    Multipart form = Multipart.of(Map.of("type", "input"), "image", name, mediaType, file);
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put("Content-Type", form.contentType());
    return web.send("POST", at("/upload/image"), all, form.body(), UPLOAD_LIMIT);
  }

  /** Posts a prompt. The client id is needed for outputs of nodes that are cached. */
  public Answer submit(Map<String, Object> graph, String promptId, String clientId)
      throws Unreachable, InterruptedException {
    ObjectNode body = AnswerJson.object();
    body.set("prompt", AnswerJson.tree(graph));
    body.put("client_id", clientId).put("prompt_id", promptId);
    return web.post(at("/prompt"), headers, body, LIMIT);
  }

  public Answer get(String path) throws Unreachable, InterruptedException {
    return get(path, LIMIT);
  }

  public Answer get(String path, Duration limit) throws Unreachable, InterruptedException {
    return web.get(at(path), headers, limit);
  }

  public Answer post(String path, Object json) throws Unreachable, InterruptedException {
    return web.post(at(path), headers, json, LIMIT);
  }

  /** Where a prompt is. */
  sealed interface Place {
    /** It waits. */
    record Pending() implements Place {}

    /** It is being executed. */
    record Running() implements Place {}

    /** It has ended, and this is what the history says. */
    record Ended(JsonNode entry) implements Place {}

    /** ComfyUI knows nothing of it. */
    record Absent() implements Place {}
  }

  /**
   * Looks for a prompt. First the queue, then the history: a prompt that ends in between is seen in
   * the second, while in the other order it would be seen in neither.
   */
  Place find(String promptId) throws Unreachable, InterruptedException {
    return find(promptId, queue(LIMIT));
  }

  /** Looks for a prompt in a queue that was read just now, and then in the history. */
  Place find(String promptId, Queue queue) throws Unreachable, InterruptedException {
    if (queue.running().contains(promptId)) {
      return new Place.Running();
    }
    if (queue.pending().contains(promptId)) {
      return new Place.Pending();
    }
    Answer history = get("/history/" + encode(promptId));
    if (!history.ok() || !history.body().isObject()) {
      throw Unreachable.unwell("the history can't be read (" + history.status() + ")");
    }
    JsonNode entry = history.body().path(promptId);
    return entry.isObject() ? new Place.Ended(entry) : new Place.Absent();
  }

  /** The ids of prompts that run and that wait. */
  record Queue(Set<String> running, Set<String> pending) {}

  /**
   * Reads the queue. An answer that isn't one, such as an error or half of one, says nothing: a
   * prompt that isn't in it may well be there.
   */
  Queue queue(Duration limit) throws Unreachable, InterruptedException {
    Answer answer = get("/queue", limit);
    JsonNode running = answer.body().path("queue_running");
    JsonNode pending = answer.body().path("queue_pending");
    if (!answer.ok() || !running.isArray() || !pending.isArray()) {
      throw Unreachable.unwell("the queue can't be read (" + answer.status() + ")");
    }
    return new Queue(ids(running), ids(pending));
  }

  private static Set<String> ids(JsonNode items) {
    Set<String> ids = new LinkedHashSet<>();
    items.forEach(item -> ids.add(item.path(1).asString("")));
    return ids;
  }

  /** Downloads an output. */
  public AssetDownload.Got view(ComfyOutputs.FileRef ref, Path file, long maxBytes)
      throws IOException, InterruptedException {
    String query =
        "?filename=%s&subfolder=%s&type=%s"
            .formatted(encode(ref.filename()), encode(ref.subfolder()), encode(ref.type()));
    return new AssetDownload(web).to(file, at("/view" + query), headers, maxBytes);
  }

  CompletableFuture<WebSocket> connect(String clientId, WebSocket.Listener listener) {
    String address = base.toString().replaceFirst("^http", "ws");
    return web.connect(URI.create(address + "/ws?clientId=" + encode(clientId)), listener);
  }

  /** What the service calls a file that it stored, with its folder; empty if it didn't say. */
  public static Optional<String> storedName(Answer uploaded) {
    String name = uploaded.body().path("name").asString("");
    String folder = uploaded.body().path("subfolder").asString("");
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(folder.isEmpty() ? name : folder + "/" + name);
  }

  private URI at(String path) {
    return URI.create(base + path);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
