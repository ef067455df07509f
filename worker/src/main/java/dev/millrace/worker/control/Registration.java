package dev.millrace.worker.control;

import dev.millrace.worker.http.AnswerJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the server gave a worker that registered. */
public record Registration(
    String workerId,
    String token,
    String status,
    List<String> workflows,
    Duration lease,
    Duration heartbeat) {

  /** What a worker says of itself. */
  public record Request(
      String workerId,
      List<String> workflows,
      int maxConcurrency,
      List<String> providers,
      ObjectNode capabilities) {

    ObjectNode json() {
      ObjectNode json = AnswerJson.object().put("worker_id", workerId);
      workflows.forEach(json.putArray("workflow_slugs")::add);
      json.put("max_concurrency", maxConcurrency);
      providers.forEach(json.putArray("providers")::add);
      json.set("capabilities", capabilities);
      return json;
    }
  }

  /** Reads an answer, or what was kept of one. */
  public static Registration of(JsonNode json) {
    List<String> workflows = new ArrayList<>();
    json.path("workflows_assigned").forEach(slug -> workflows.add(slug.asString("")));
    return new Registration(
        json.path("worker_id").asString(""),
        json.path("token").asString(""),
        json.path("status").asString("approved"),
        List.copyOf(workflows),
        Seconds.of(json.path("lease_seconds"), Duration.ofSeconds(60)),
        Seconds.of(json.path("heartbeat_seconds"), Duration.ofSeconds(20)));
  }

  /** The same with another token. */
  public Registration with(String newToken) {
    return new Registration(workerId, newToken, status, workflows, lease, heartbeat);
  }

  /** For keeping. */
  public ObjectNode json() {
    ObjectNode json =
        AnswerJson.object().put("worker_id", workerId).put("token", token).put("status", status);
    workflows.forEach(json.putArray("workflows_assigned")::add);
    json.put("lease_seconds", lease.toMillis() / 1000.0);
    json.put("heartbeat_seconds", heartbeat.toMillis() / 1000.0);
    return json;
  }

  @Override
  public String toString() {
    return "Registration[" + workerId + ", " + status + "]";
  }
}
