package dev.millrace.testkit.comfy;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import dev.millrace.testkit.net.SmallServer;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * A Comfy Cloud, after its OpenAPI description. A test says through which statuses a job goes. Its
 * files are on another server, to which a redirect leads and which must never see the API key.
 */
public final class FakeComfyCloud implements AutoCloseable {

  public static final String KEY = "comfyui-canary-key";

  private final SmallServer api = SmallServer.start(this::answer);
  private final SmallServer storage = SmallServer.start(this::stored);
  private final Map<String, JsonNode> jobs = new LinkedHashMap<>();
  private final Deque<String> statuses = new ArrayDeque<>(List.of("completed"));
  private final List<String> calls = new ArrayList<>();
  private final InputFiles files = new InputFiles();
  private Optional<Reply> nextPrompt = Optional.empty();
  private Map<String, Object> detail = Map.of();
  private Optional<Reply> afterAccepting = Optional.empty();
  private final PlannedReplies instead = new PlannedReplies();
  private final Set<String> unlisted = new HashSet<>();
  private int others;
  private boolean listsLate;
  private boolean refusesKey;
  private boolean leaked;
  private boolean withoutJobsApi;

  public URI url() {
    return api.url();
  }

  /** What the status calls say, one after the other; the last one stays. */
  public synchronized void statuses(String... words) {
    statuses.clear();
    statuses.addAll(List.of(words));
  }

  /** What the detail says beside id and status. */
  public synchronized void detail(Map<String, Object> facts) {
    detail = facts;
  }

  /** How the next submit is answered. */
  public synchronized void nextPrompt(Reply reply) {
    nextPrompt = Optional.of(reply);
  }

  /** The next submit is accepted, but its answer is lost. */
  public void loseNextPromptAnswer() {
    answerNextPrompt(new Reply.Cut());
  }

  /** The next submit is accepted, but answered with this. */
  public synchronized void answerNextPrompt(Reply reply) {
    afterAccepting = Optional.of(reply);
  }

  /** An older service, which has only {@code history_v2}. */
  public synchronized void withoutJobsApi() {
    withoutJobsApi = true;
  }

  /** From now on what is accepted isn't listed, and can't be read, until {@link #listNow}. */
  public synchronized void listLate() {
    listsLate = true;
  }

  /** What was accepted is listed, now and from now on. */
  public synchronized void listNow() {
    listsLate = false;
    unlisted.clear();
  }

  /** The account submits so many other jobs. */
  public synchronized void submitOthers(int count) {
    for (int i = 0; i < count; i++) {
      others++;
      jobs.put(UUID.randomUUID().toString(), Reply.JSON.createObjectNode());
    }
  }

  /**
   * The next call of this kind is done, but answered with this. Ids are left out of the call, as in
   * {@code GET /api/job//status}.
   */
  public synchronized void answerInstead(String call, Reply reply) {
    instead.add(call, reply);
  }

  /** How many of them are still to come. */
  public synchronized int repliesLeft() {
    return instead.left();
  }

  /** Whether the key is refused from now on. */
  public synchronized void refuseKey(boolean now) {
    refusesKey = now;
  }

  /** How often the jobs were listed. */
  public synchronized long listings() {
    return calls.stream().filter("GET /api/jobs"::equals).count();
  }

  public synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  public synchronized int submits() {
    return jobs.size() - others;
  }

  public synchronized int uploads() {
    return files.uploads();
  }

  /** The graphs that were submitted. */
  public synchronized List<JsonNode> graphs() {
    return List.copyOf(jobs.values());
  }

  /** Whether the API key was sent to where the redirect leads. */
  public synchronized boolean leaked() {
    return leaked;
  }

  @Override
  public void close() {
    api.close();
    storage.close();
  }

  private synchronized Reply answer(Request request) {
    String path = request.path();
    calls.add(request.method() + " " + path);
    if (refusesKey || !request.header("X-API-Key").equals(Optional.of(KEY))) {
      return Reply.json(401, Map.of("message", "Unauthorized"));
    }
    Reply reply = call(request, path);
    String call = request.method() + " " + path.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "");
    return instead.next(call).orElse(reply);
  }

  private Reply call(Request request, String path) {
    if (path.startsWith("/api/job/")) {
      return status(path.replaceFirst("^/api/job/(.*)/status$", "$1"));
    }
    if (path.startsWith("/api/jobs/") && !withoutJobsApi) {
      return detail(path.substring("/api/jobs/".length()));
    }
    if (path.startsWith("/api/history_v2/")) {
      String id = path.substring("/api/history_v2/".length());
      return Reply.json(200, Map.of(id, Map.of("outputs", outputs(id))));
    }
    return switch (request.method() + " " + path) {
      case "POST /api/prompt" -> prompt(Reply.JSON.readTree(request.body().bytes()));
      case "POST /api/upload/image" -> files.upload(request);
      case "GET /api/jobs" -> listing(request);
      case "GET /api/view" ->
          Reply.empty(302)
              .with("Location", storage.url() + "/" + request.param("filename") + "?sig=canary");
      case "POST /api/queue", "POST /api/interrupt" -> Reply.empty(200);
      default -> Reply.json(404, Map.of("message", "Not found"));
    };
  }

  /** The newest first, as they are asked for. */
  private Reply listing(Request request) {
    List<String> newest =
        jobs.keySet().stream().filter(id -> !unlisted.contains(id)).toList().reversed();
    int offset = number(request.param("offset"), 0);
    int limit = number(request.param("limit"), 100);
    List<Map<String, String>> page =
        newest.stream()
            .skip(offset)
            .limit(limit)
            .map(id -> Map.of("id", id, "status", "pending"))
            .toList();
    boolean more = offset + page.size() < newest.size();
    return Reply.json(
        200,
        Map.of(
            "jobs",
            page,
            "pagination",
            Map.of("offset", offset, "limit", limit, "total", newest.size(), "has_more", more)));
  }

  private static int number(String text, int otherwise) {
    return text.isEmpty() ? otherwise : Integer.parseInt(text);
  }

  private Reply prompt(JsonNode body) {
    if (nextPrompt.isPresent()) {
      Reply reply = nextPrompt.get();
      nextPrompt = Optional.empty();
      return reply;
    }
    String id = UUID.randomUUID().toString();
    jobs.put(id, body.path("prompt"));
    if (listsLate) {
      unlisted.add(id);
    }
    if (afterAccepting.isPresent()) {
      Reply reply = afterAccepting.get();
      afterAccepting = Optional.empty();
      return reply;
    }
    return Reply.json(200, Map.of("prompt_id", id, "number", 1, "node_errors", Map.of()));
  }

  private Reply status(String id) {
    if (!jobs.containsKey(id) || unlisted.contains(id)) {
      return Reply.json(404, Map.of("message", "Job not found"));
    }
    String now = statuses.size() > 1 ? statuses.removeFirst() : statuses.getFirst();
    return Reply.json(200, Map.of("id", id, "status", now));
  }

  private Reply detail(String id) {
    JsonNode graph = jobs.get(id);
    if (graph == null || unlisted.contains(id)) {
      return Reply.json(404, Map.of("message", "Job not found"));
    }
    Map<String, Object> all = new LinkedHashMap<>(Map.of("id", id, "workflow", graph));
    all.put("outputs", outputs(id));
    all.putAll(detail);
    return Reply.json(200, all);
  }

  private static Map<String, Object> outputs(String id) {
    Map<String, Object> file = Map.of("filename", id + ".png", "subfolder", "", "type", "output");
    return Map.of("9", Map.of("images", List.of(file)));
  }

  private synchronized Reply stored(Request request) {
    leaked |= request.headers().toString().contains(KEY);
    return request.param("sig").equals("canary")
        ? Reply.bytes(200, "image/png", Media.of(".png", "cloud picture"))
        : Reply.text(403, "no signature");
  }
}
