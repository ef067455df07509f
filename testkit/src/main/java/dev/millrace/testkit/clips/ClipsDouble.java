package dev.millrace.testkit.clips;

import dev.millrace.testkit.outside.Answered;
import dev.millrace.testkit.outside.Asked;
import dev.millrace.testkit.outside.OutsideService;
import dev.millrace.testkit.outside.OutsideTask;
import dev.millrace.testkit.outside.StandardSignature;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** An API that queues clips. */
public final class ClipsDouble extends OutsideService {

  public static final String KEY = "clips-key-1";
  public static final String SECRET = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=";

  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger messages = new AtomicInteger();

  private ClipsDouble(InstantSource clock) {
    super(clock);
  }

  public static ClipsDouble start(InstantSource clock) {
    ClipsDouble service = new ClipsDouble(clock);
    service.open();
    return service;
  }

  @Override
  protected boolean isSubmit(Asked request) {
    return request.is("POST", "/v2/clips");
  }

  @Override
  protected Answered answer(Asked request) {
    if (!request.header("x-api-key").equals(Optional.of(KEY))) {
      return error(401, "unknown key");
    }
    if (isSubmit(request)) {
      return create(request);
    }
    if (request.is("GET", "/v2/clips")) {
      return list(request);
    }
    String[] path = request.path().split("/", -1);
    Optional<OutsideTask> task = path.length > 3 ? task(path[3]) : Optional.empty();
    if (task.isPresent() && request.is("GET", "/v2/clips/[^/]+")) {
      return Answered.json(200, shape(task.get()));
    }
    if (task.isPresent() && request.is("DELETE", "/v2/clips/[^/]+")) {
      if (task.get().stage().over()) {
        return error(409, "it is over");
      }
      cancel(task.get());
      return new Answered(204, Map.of(), "");
    }
    return error(404, "no such clip");
  }

  private Answered create(Asked request) {
    JsonNode body;
    try {
      body = json.readTree(request.body());
    } catch (JacksonException e) {
      return error(400, "not JSON");
    }
    OutsideTask task =
        take(
            "clip-" + (1000 + made.incrementAndGet()),
            body,
            Optional.ofNullable(body.path("notify").asString(null)));
    ObjectNode created = shape(task);
    perhapsEndEarly(task);
    return Answered.json(202, created);
  }

  private Answered list(Asked request) {
    ObjectNode page = node();
    ArrayNode clips = page.putArray("clips");
    listed().stream()
        .filter(task -> request.query().equals("tag=" + task.request().path("tag").asString("")))
        .forEach(task -> clips.add(shape(task)));
    return Answered.json(200, page);
  }

  private static ObjectNode shape(OutsideTask task) {
    ObjectNode shape = node();
    ObjectNode clip = shape.putObject("clip");
    clip.put("id", task.id());
    clip.put("tag", task.request().path("tag").asString(""));
    clip.put("state", state(task.stage()));
    clip.put("percent", task.percent());
    clip.set("files", task.output());
    clip.putObject("problem").put("text", task.error());
    if (task.stage().over()) {
      clip.put("gpu_seconds", 2.4);
    }
    return shape;
  }

  private static String state(OutsideTask.Stage stage) {
    return switch (stage) {
      case WAITING -> "queued";
      case RUNNING -> "rendering";
      case SUCCEEDED -> "ready";
      case FAILED -> "broken";
      case CANCELED -> "stopped";
      case ABORTED -> "dropped";
    };
  }

  @Override
  protected HttpRequest webhook(OutsideTask task, URI callback) {
    String id = "evt_" + messages.incrementAndGet();
    String timestamp = String.valueOf(clock.instant().getEpochSecond());
    String body = shape(task).toString();
    return HttpRequest.newBuilder(callback)
        .header("webhook-id", id)
        .header("webhook-timestamp", timestamp)
        .header("webhook-signature", StandardSignature.of(SECRET, id, timestamp, body))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  @Override
  protected Optional<String> intent(OutsideTask task) {
    return Optional.ofNullable(task.request().path("tag").asString(null));
  }

  @Override
  protected JsonNode usualOutput() {
    return JsonNodeFactory.instance.arrayNode().add("https://files.clips.example/a.mp4");
  }

  @Override
  protected String refusal() {
    return "Blocked by policy: nudity";
  }

  private static Answered error(int status, String text) {
    ObjectNode body = node();
    body.putObject("problem").put("text", text);
    return Answered.json(status, body);
  }

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
