package dev.millrace.testkit.fal;

import dev.millrace.testkit.outside.Answered;
import dev.millrace.testkit.outside.Asked;
import dev.millrace.testkit.outside.OutsideService;
import dev.millrace.testkit.outside.OutsideTask;
import dev.millrace.testkit.outside.OutsideTask.Stage;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** fal's queue, and the keys that it publishes. */
public final class FalDouble extends OutsideService {

  public static final String KEY = "fal-key-1";

  private static final String WEBHOOK = "fal_webhook=";

  private volatile FalSigner signer = new FalSigner();

  private FalDouble(InstantSource clock) {
    super(clock);
  }

  public static FalDouble start(InstantSource clock) {
    FalDouble service = new FalDouble(clock);
    service.open();
    return service;
  }

  public URI jwks() {
    return URI.create(address() + "/.well-known/jwks.json");
  }

  /** From now on webhooks are signed with another key, and only that one is published. */
  public void replaceKey() {
    signer = new FalSigner();
  }

  @Override
  protected boolean isSubmit(Asked request) {
    return request.method().equals("POST") && !request.path().contains("/requests/");
  }

  @Override
  protected Answered answer(Asked request) {
    if (request.is("GET", "/.well-known/jwks.json")) {
      return Answered.json(200, signer.jwks());
    }
    if (!request.header("authorization").equals(Optional.of("Key " + KEY))) {
      return Answered.json(401, node().put("detail", "Cannot access application"));
    }
    if (isSubmit(request)) {
      return create(request);
    }
    // owner/app/requests/id[/status|/cancel]: what a model has behind its app is left out.
    if (!request.path().matches("/[^/]+/[^/]+/requests/[^/]+(/status|/cancel)?")) {
      return Answered.json(405, node().put("detail", "Method Not Allowed"));
    }
    Optional<OutsideTask> task = task(request.path().split("/", -1)[4]);
    if (task.isEmpty()) {
      return Answered.json(404, node().put("status", "NOT_FOUND"));
    }
    if (request.path().endsWith("/cancel")) {
      return cancelled(request, task.get());
    }
    return request.path().endsWith("/status") ? status(task.get()) : result(task.get());
  }

  private Answered create(Asked request) {
    JsonNode body;
    try {
      body = json.readTree(request.body());
    } catch (JacksonException e) {
      return Answered.json(422, node().put("detail", "not JSON"));
    }
    Optional<String> callback =
        request.query().startsWith(WEBHOOK)
            ? Optional.of(
                URLDecoder.decode(
                    request.query().substring(WEBHOOK.length()), StandardCharsets.UTF_8))
            : Optional.empty();
    OutsideTask task = take(UUID.randomUUID().toString(), body, callback);
    perhapsEndEarly(task);
    String base = address() + "/fal-ai/flux/requests/" + task.id();
    return Answered.json(
        200,
        node()
            .put("status", "IN_QUEUE")
            .put("request_id", task.id())
            .put("response_url", base)
            .put("status_url", base + "/status")
            .put("cancel_url", base + "/cancel")
            .put("queue_position", 0));
  }

  private Answered status(OutsideTask task) {
    ObjectNode status = node().put("request_id", task.id());
    if (task.stage() == Stage.WAITING) {
      return Answered.json(202, status.put("status", "IN_QUEUE").put("queue_position", 0));
    }
    status
        .putArray("logs")
        .addObject()
        .put("message", " " + task.percent() + "%|##5 | 1/4")
        .put("level", "INFO");
    if (task.stage() == Stage.RUNNING) {
      return Answered.json(202, status.put("status", "IN_PROGRESS"));
    }
    status.put("status", "COMPLETED");
    status.putObject("metrics").put("inference_time", 2.4);
    if (task.stage() == Stage.CANCELED) {
      status.put("error", "Request was cancelled").put("error_type", "client_cancelled");
    }
    if (task.stage() == Stage.ABORTED) {
      status.put("error", "No runner in time").put("error_type", "startup_timeout");
    }
    return Answered.json(200, status);
  }

  private Answered result(OutsideTask task) {
    return switch (task.stage()) {
      case WAITING, RUNNING ->
          Answered.json(400, node().put("detail", "Request is still in progress"));
      case SUCCEEDED -> Answered.json(200, String.valueOf(task.output()));
      case FAILED -> Answered.json(422, problem(task));
      case CANCELED -> Answered.json(499, node().put("detail", "Request was cancelled"));
      case ABORTED -> Answered.json(504, node().put("detail", "No runner in time"));
    };
  }

  private ObjectNode problem(OutsideTask task) {
    boolean refused = refusal().equals(task.error());
    ObjectNode problem = node();
    problem
        .putArray("detail")
        .addObject()
        .put("msg", task.error())
        .put("type", refused ? "content_policy_violation" : "value_error");
    return problem;
  }

  private Answered cancelled(Asked request, OutsideTask task) {
    if (!request.method().equals("PUT")) {
      return Answered.json(405, node().put("detail", "Method Not Allowed"));
    }
    if (task.stage().over()) {
      return Answered.json(400, node().put("status", "ALREADY_COMPLETED"));
    }
    cancel(task);
    return Answered.json(202, node().put("status", "CANCELLATION_REQUESTED"));
  }

  @Override
  protected HttpRequest webhook(OutsideTask task, URI callback) {
    ObjectNode message = node().put("request_id", task.id()).put("gateway_request_id", task.id());
    if (task.stage() == Stage.SUCCEEDED) {
      message.put("status", "OK").set("payload", task.output());
    } else {
      message
          .put("status", "ERROR")
          .put("error", "Invalid status code: 422")
          .set("payload", problem(task));
    }
    String timestamp = String.valueOf(clock.instant().getEpochSecond());
    String body = message.toString();
    return HttpRequest.newBuilder(callback)
        .header("Content-Type", "application/json")
        .header("X-Fal-Webhook-Request-Id", task.id())
        .header("X-Fal-Webhook-User-Id", "user-1")
        .header("X-Fal-Webhook-Timestamp", timestamp)
        .header("X-Fal-Webhook-Signature", signer.sign(task.id(), "user-1", timestamp, body))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  @Override
  protected JsonNode usualOutput() {
    ObjectNode output = node();
    output
        .putArray("images")
        .addObject()
        .put("url", "https://v3.fal.media/files/penguin/a.png")
        .put("content_type", "image/png")
        .put("file_name", "a.png")
        .put("width", 1024);
    return output.put("seed", 1966).put("prompt", "https://not.an/output.png");
  }

  @Override
  protected String refusal() {
    return "The content could not be processed because it was flagged by a content checker.";
  }

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }
}
