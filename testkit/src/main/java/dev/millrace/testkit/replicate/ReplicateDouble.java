package dev.millrace.testkit.replicate;

import dev.millrace.testkit.outside.Answered;
import dev.millrace.testkit.outside.Asked;
import dev.millrace.testkit.outside.OutsideService;
import dev.millrace.testkit.outside.OutsideTask;
import dev.millrace.testkit.outside.StandardSignature;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Replicate, as far as making, watching, listing and stopping predictions goes. */
public final class ReplicateDouble extends OutsideService {

  public static final String TOKEN = "r8_test";
  public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static final String CREATE =
      "/v1/(predictions|models/[^/]+/[^/]+/predictions|deployments/[^/]+/[^/]+/predictions)";

  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger messages = new AtomicInteger();
  private final Map<String, Answered> files = new ConcurrentHashMap<>();
  private volatile boolean tellsWebhooks = true;
  private volatile int pageSize = 100;
  private volatile String secret = SECRET;

  private ReplicateDouble(InstantSource clock) {
    super(clock);
  }

  public static ReplicateDouble start(InstantSource clock) {
    ReplicateDouble service = new ReplicateDouble(clock);
    service.open();
    return service;
  }

  public URI api() {
    return URI.create(address() + "/v1");
  }

  /** Whether predictions tell where their webhooks go. */
  public void tellsWebhooks(boolean tells) {
    tellsWebhooks = tells;
  }

  public void pageSize(int size) {
    pageSize = size;
  }

  /** What is at the address of this file from now on. */
  public URI file(String name, Answered answer) {
    files.put("/files/" + name, answer);
    return URI.create(address() + "/files/" + name);
  }

  /** The account's webhook secret is replaced. */
  public void secret(String fresh) {
    secret = fresh;
  }

  @Override
  protected boolean isSubmit(Asked request) {
    return request.is("POST", CREATE);
  }

  @Override
  protected Answered answer(Asked request) {
    Answered file = files.get(request.path());
    if (file != null) {
      return file;
    }
    if (!request.header("authorization").equals(Optional.of("Bearer " + TOKEN))) {
      return error(401, "Unauthenticated", "You did not pass a valid authentication token");
    }
    if (isSubmit(request)) {
      return create(request);
    }
    if (request.is("GET", "/v1/predictions")) {
      return list(request);
    }
    if (request.is("GET", "/v1/webhooks/default/secret")) {
      return Answered.json(200, node().put("key", secret));
    }
    String[] path = request.path().split("/", -1);
    Optional<OutsideTask> task = path.length > 3 ? task(path[3]) : Optional.empty();
    if (task.isPresent() && request.is("GET", "/v1/predictions/[^/]+")) {
      return Answered.json(200, shape(task.get()));
    }
    if (task.isPresent() && request.is("POST", "/v1/predictions/[^/]+/cancel")) {
      cancel(task.get());
      return Answered.json(200, shape(task.get()));
    }
    return error(404, "Not found", "The requested resource could not be found.");
  }

  private Answered create(Asked request) {
    ObjectNode body;
    try {
      body = (ObjectNode) json.readTree(request.body());
    } catch (JacksonException | ClassCastException e) {
      return error(400, "Bad request", "The body must be a JSON object.");
    }
    if (!body.path("input").isObject()) {
      return error(422, "Input validation failed", "- input is required\n");
    }
    if (request.path().equals("/v1/predictions") && !body.path("version").isString()) {
      return error(422, "Input validation failed", "- version is required\n");
    }
    OutsideTask task =
        take(
            "gm3qorzdhgbfurvjtvhg6dc" + String.format("%03d", made.incrementAndGet()),
            body,
            Optional.ofNullable(body.path("webhook").asString(null)));
    ObjectNode created = shape(task);
    perhapsEndEarly(task);
    boolean waits = request.header("prefer").orElse("").startsWith("wait");
    return Answered.json(201, waits ? shape(task) : created);
  }

  private Answered list(Asked request) {
    List<OutsideTask> all = listed();
    int from =
        request.query().startsWith("cursor=")
            ? Integer.parseInt(request.query().substring("cursor=".length()))
            : 0;
    int to = Math.min(all.size(), from + pageSize);
    ObjectNode page = node();
    if (to < all.size()) {
      page.put("next", api() + "/predictions?cursor=" + to);
    } else {
      page.putNull("next");
    }
    page.putNull("previous");
    ArrayNode results = page.putArray("results");
    all.subList(from, to).forEach(task -> results.add(shape(task)));
    return Answered.json(200, page);
  }

  private ObjectNode shape(OutsideTask task) {
    ObjectNode shape = node();
    shape.put("id", task.id());
    shape.put("model", "black-forest-labs/flux-schnell");
    shape.put("version", task.request().path("version").asString("hidden"));
    shape.set("input", task.removed() ? node() : task.request().path("input"));
    shape.put("logs", task.percent() == 0 ? "" : " " + task.percent() + "%|##5 | 1/4");
    shape.set("output", task.removed() ? null : task.output());
    shape.put("data_removed", task.removed());
    shape.put("error", task.error());
    shape.put("source", "api");
    shape.put("status", status(task.stage()));
    shape.put("created_at", task.createdAt().toString());
    if (tellsWebhooks) {
      task.callback().ifPresent(callback -> shape.put("webhook", callback));
    }
    ObjectNode urls = shape.putObject("urls");
    urls.put("cancel", api() + "/predictions/" + task.id() + "/cancel");
    urls.put("get", api() + "/predictions/" + task.id());
    if (task.stage().over() && task.stage() != OutsideTask.Stage.ABORTED) {
      shape.put("started_at", task.createdAt().plusMillis(1_400).toString());
      shape.putObject("metrics").put("predict_time", 2.4).put("total_time", 3.8);
    }
    if (task.stage().over()) {
      shape.put("completed_at", task.createdAt().plusMillis(3_800).toString());
    }
    return shape;
  }

  private static String status(OutsideTask.Stage stage) {
    return switch (stage) {
      case WAITING -> "starting";
      case RUNNING -> "processing";
      case SUCCEEDED -> "succeeded";
      case FAILED -> "failed";
      case CANCELED -> "canceled";
      case ABORTED -> "aborted";
    };
  }

  @Override
  protected HttpRequest webhook(OutsideTask task, URI callback) {
    String id = "msg_" + messages.incrementAndGet();
    String timestamp = String.valueOf(clock.instant().getEpochSecond());
    String body = shape(task).toString();
    return HttpRequest.newBuilder(callback)
        .header("Content-Type", "application/json")
        .header("webhook-id", id)
        .header("webhook-timestamp", timestamp)
        .header("webhook-signature", StandardSignature.of(secret, id, timestamp, body))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  @Override
  protected JsonNode usualOutput() {
    return JsonNodeFactory.instance
        .arrayNode()
        .add("https://replicate.delivery/xezq/abc/out-0.webp");
  }

  @Override
  protected String refusal() {
    return "NSFW content detected. Try running it again, or try a different prompt.";
  }

  private static Answered error(int status, String title, String detail) {
    return Answered.json(
        status, node().put("title", title).put("detail", detail).put("status", status));
  }

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
