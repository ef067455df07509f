package dev.millrace.testkit.comfy;

import dev.millrace.testkit.net.Reply;
import dev.millrace.testkit.net.Request;
import dev.millrace.testkit.net.SmallServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A ComfyUI without a GPU. Its queue, history and cache are in memory and go with a crash; its
 * files stay. A {@code TestSleep} of more than a second lasts until {@link #release}.
 */
public final class FakeComfyUi implements AutoCloseable {

  private static final int MAX_UPLOAD = 100 * 1024 * 1024;
  private static final long TELL_MILLIS = 200;

  private final SmallServer server;
  private final InputFiles files = new InputFiles();
  private final OutputFiles saved = new OutputFiles();
  private final List<Prompt> pending = new ArrayList<>();
  private final Map<String, Object> history = new LinkedHashMap<>();
  private final Map<String, Map<String, Object>> cache = new HashMap<>();
  private final Listeners listeners = new Listeners();
  private final List<JsonNode> posted = new ArrayList<>();
  private final List<String> interrupts = new ArrayList<>();
  private @Nullable Prompt running;
  private int number;
  private int life;
  private boolean released;
  private int freed;
  private final PlannedReplies instead = new PlannedReplies();
  private final PlannedReplies refusals = new PlannedReplies();
  private boolean lookedFor;
  private boolean executorDead;
  private boolean hanging;
  volatile boolean deviceFails;
  private volatile boolean silent;

  public FakeComfyUi() {
    server = SmallServer.start(this::answer);
    startExecutor();
  }

  public URI url() {
    return server.url();
  }

  /** Killed in the middle of whatever it does. */
  public void crash() {
    server.stop();
    synchronized (this) {
      life++;
      pending.clear();
      history.clear();
      cache.clear();
      listeners.clear();
      running = null;
      notifyAll();
    }
  }

  /** Started again, with its files and nothing else. */
  public void restart() {
    synchronized (this) {
      executorDead = false;
      hanging = false;
      deviceFails = false;
      silent = false;
    }
    startExecutor();
    server.startAgain();
  }

  /** Restarted on an empty disk: what it was given and what it made are gone too. */
  public void restartEmpty() {
    crash();
    synchronized (this) {
      files.clear();
      saved.clear();
    }
    restart();
  }

  /**
   * The thread that executes has died, and the server goes on answering. Prompts are accepted and
   * wait for ever; what was running stays so in the queue.
   */
  public synchronized void killExecutor() {
    executorDead = true;
    notifyAll();
  }

  /** What sleeps goes on without a word and deaf to interrupts, until it is {@link #release}d. */
  public synchronized void hang() {
    hanging = true;
    notifyAll();
  }

  /** From now on whatever needs the device fails, until a {@link #restart}. */
  public void failDevice() {
    deviceFails = true;
  }

  /** Connections are accepted, and no request is ever answered, until a {@link #restart}. */
  public void fallSilent() {
    silent = true;
  }

  /** Answers again, after {@link #fallSilent}. */
  public void answerAgain() {
    silent = false;
  }

  /** Ends the sleep of whatever sleeps, now and from now on. */
  public synchronized void release() {
    released = true;
    notifyAll();
  }

  /** The next prompt is accepted, but the answer is lost. */
  public void loseNextPromptAnswer() {
    answerInstead("POST /prompt", new Reply.Cut());
  }

  /** The next call of this kind, such as {@code GET /queue}, is done, but answered with this. */
  public synchronized void answerInstead(String call, Reply reply) {
    instead.add(call, reply);
  }

  /** The next call of this kind isn't done, and is answered with this. */
  public synchronized void refuse(String call, Reply reply) {
    refusals.add(call, reply);
  }

  /** How many of them are still to come. */
  public synchronized int repliesLeft() {
    return instead.left();
  }

  public synchronized void loseInputs() {
    files.clear();
  }

  public synchronized void loseOutputs() {
    saved.clear();
  }

  public synchronized int uploads() {
    return files.uploads();
  }

  /** The bodies of all prompts that were posted. */
  public synchronized List<JsonNode> posted() {
    return List.copyOf(posted);
  }

  /** The bodies of all interrupts. */
  public synchronized List<String> interrupts() {
    return List.copyOf(interrupts);
  }

  public synchronized int freed() {
    return freed;
  }

  public synchronized boolean busy() {
    return running != null;
  }

  /** Whether somebody asked for the queue since the last prompt came. */
  public synchronized boolean lookedFor() {
    return lookedFor;
  }

  public synchronized int waiting() {
    return pending.size();
  }

  @Override
  public void close() {
    crash();
  }

  private Reply answer(Request request) {
    if (silent) {
      return new Reply.Silence();
    }
    String origin = request.header("Origin").orElse("");
    if (!origin.isEmpty() && !origin.endsWith(request.header("Host").orElse(""))) {
      return Reply.empty(403);
    }
    String path = request.path();
    if (path.equals("/ws")) {
      return new Reply.Upgrade(listeners.open(this, request.param("clientId")));
    }
    synchronized (this) {
      String call = request.method() + " " + path.replaceFirst("^/history/.*", "/history/");
      return refusals.next(call).orElseGet(() -> done(call, request));
    }
  }

  private Reply done(String call, Request request) {
    Reply reply = call(call, request);
    return instead.next(call).orElse(reply);
  }

  private Reply call(String call, Request request) {
    return switch (call) {
      case "GET /history/" -> entry(request.path().substring("/history/".length()));
      case "POST /prompt" -> prompt(request);
      case "GET /prompt" ->
          Reply.json(200, Map.of("exec_info", Map.of("queue_remaining", pending.size())));
      case "GET /queue" -> queue();
      case "POST /queue" -> change(request);
      case "POST /interrupt" -> interrupt(request);
      case "POST /history" -> forget(request);
      case "POST /upload/image" ->
          request.body().bytes().length > MAX_UPLOAD
              ? Reply.text(413, "Maximum request body size " + MAX_UPLOAD + " exceeded.")
              : files.upload(request);
      case "GET /view" -> saved.view(request);
      case "POST /free" -> {
        freed++;
        yield Reply.empty(200);
      }
      case "GET /system_stats" ->
          Reply.json(
              200, Map.of("system", Map.of("comfyui_version", "0.7.0"), "devices", List.of()));
      default -> Reply.text(404, "404: Not Found");
    };
  }

  private Reply prompt(Request request) {
    JsonNode body;
    try {
      body = Reply.JSON.readTree(request.body().bytes());
    } catch (JacksonException _) {
      return Reply.text(500, "500 Internal Server Error\n\nServer got itself in trouble");
    }
    Validation checked =
        body.has("prompt")
            ? Validation.of(body.path("prompt"), files.names())
            : Validation.refused("no_prompt", "No prompt provided", "No prompt provided");
    if (checked.error().isPresent()) {
      return Reply.json(
          400, Map.of("error", checked.error().get(), "node_errors", checked.nodeErrors()));
    }
    posted.add(body);
    lookedFor = false;
    String id = body.path("prompt_id").asString(UUID.randomUUID().toString());
    Map<String, Object> extra = new LinkedHashMap<>();
    if (body.has("client_id")) {
      extra.put("client_id", body.path("client_id").asString(""));
    }
    extra.put("create_time", 1794766215060L);
    pending.add(new Prompt(number, id, body.path("prompt"), extra, checked.outputs()));
    notifyAll();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("prompt_id", id);
    answer.put("number", number++);
    answer.put("node_errors", checked.nodeErrors());
    return Reply.json(200, answer);
  }

  private Reply entry(String id) {
    Object entry = history.get(id);
    return Reply.json(200, entry == null ? Map.of() : Map.of(id, entry));
  }

  private Reply queue() {
    lookedFor = true;
    Map<String, Object> queue = new LinkedHashMap<>();
    queue.put("queue_running", running == null ? List.of() : List.of(running.item()));
    queue.put("queue_pending", pending.stream().map(Prompt::item).toList());
    return Reply.json(200, queue);
  }

  private Reply change(Request request) {
    JsonNode body = Reply.JSON.readTree(request.body().bytes());
    if (body.path("clear").asBoolean(false)) {
      pending.clear();
    }
    body.path("delete").forEach(id -> pending.removeIf(one -> one.id.equals(id.asString(""))));
    return Reply.empty(200);
  }

  /** Always 200; without an id it hits whatever runs. */
  private Reply interrupt(Request request) {
    String text = request.body().text();
    interrupts.add(text);
    String id = text.isEmpty() ? "" : Reply.JSON.readTree(text).path("prompt_id").asString("");
    if (running != null && (id.isEmpty() || running.id.equals(id))) {
      running.interrupted = true;
      notifyAll();
    }
    return Reply.empty(200);
  }

  private Reply forget(Request request) {
    Reply.JSON
        .readTree(request.body().bytes())
        .path("delete")
        .forEach(id -> history.remove(id.asString("")));
    return Reply.empty(200);
  }

  // --- what an execution asks for; always under the lock

  boolean cached(String signature) {
    return cache.containsKey(signature);
  }

  Map<String, Object> recall(String signature) {
    return Objects.requireNonNullElse(cache.get(signature), Map.of());
  }

  void remember(String signature, Map<String, Object> output) {
    cache.put(signature, output);
  }

  boolean isCorrupt(String file) {
    return files.isCorrupt(file);
  }

  String save(String folder, String stem, String ending, byte[] content, boolean preview) {
    return saved.save((preview ? "temp/" : "output/") + folder + "/", stem, ending, content);
  }

  /** Meanwhile the progress is told again and again, as of any work that takes its time. */
  void awaitRelease(Prompt prompt, IntConsumer progress) throws InterruptedException {
    int born = life;
    for (int times = 1; sleeps(prompt, born); times++) {
      wait(TELL_MILLIS);
      if (sleeps(prompt, born) && !hanging) {
        progress.accept(times);
      }
    }
    if (life != born || executorDead) {
      throw new InterruptedException("crashed");
    }
  }

  private boolean sleeps(Prompt prompt, int born) {
    boolean interrupted = prompt.interrupted && !hanging;
    return !released && !interrupted && life == born && !executorDead;
  }

  /** To the client that posted the prompt, and no other. */
  void tell(Prompt prompt, String type, Map<String, Object> data) {
    Map<String, Object> all = new LinkedHashMap<>(data);
    all.putIfAbsent("prompt_id", prompt.id);
    listeners.tell(prompt.clientId(), type, all);
  }

  private void startExecutor() {
    int born;
    synchronized (this) {
      born = life;
    }
    Thread.ofVirtual()
        .name("comfyui")
        .start(() -> {
          try {
            execute(born);
          } catch (InterruptedException _) {
            // Crashed.
          }
        });
  }

  private synchronized void execute(int born) throws InterruptedException {
    while (life == born && !executorDead) {
      if (pending.isEmpty()) {
        wait();
        continue;
      }
      Prompt prompt = pending.removeFirst();
      running = prompt;
      boolean success = new Execution(this, prompt).run();
      history.put(prompt.id, prompt.entry(success));
      running = null;
      Map<String, Object> done = new LinkedHashMap<>();
      done.put("node", null);
      tell(prompt, "executing", done);
    }
  }
}
