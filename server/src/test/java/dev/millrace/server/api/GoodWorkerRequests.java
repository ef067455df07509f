package dev.millrace.server.api;

import dev.millrace.server.api.GoodRequests.Good;
import dev.millrace.server.rig.Client;
import dev.millrace.server.rig.FleetRig;
import dev.millrace.server.rig.FleetRig.Work;
import dev.millrace.server.rig.FleetRig.Worker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** A good request for every operation of workers, and of those who look after them. */
final class GoodWorkerRequests {

  private final Map<String, Supplier<Good>> rows = new LinkedHashMap<>();
  private final Client client;
  private final String workerId = "spoiled-" + UUID.randomUUID();
  private final Worker worker;
  private final Worker idle;

  GoodWorkerRequests(Client client) {
    this.client = client;
    this.worker = FleetRig.worker(client, workerId, 1_000, "upscale");
    this.idle = FleetRig.worker(client, "idle-" + UUID.randomUUID(), 1, "caption");
    rows.put(
        "POST /api/worker/register",
        () ->
            body(
                "{\"worker_id\":\"%s\",\"workflow_slugs\":[\"upscale\"],\"max_concurrency\":2,\"providers\":[\"comfyui\"]}"
                    .formatted(GoodRequests.FRESH)));
    rows.put("POST /api/worker/poll", () -> body("{\"max\":1,\"wait\":0}"));
    rows.put(
        "POST /api/worker/heartbeat",
        () -> report("\"progress\":1,\"step\":\"s\",\"message\":\"m\""));
    rows.put(
        "POST /api/worker/upload",
        () ->
            report(
                "\"media_type\":\"image/png\",\"size\":1,\"sha256\":\"%s\""
                    .formatted("0a".repeat(32))));
    rows.put(
        "POST /api/worker/upload/parts",
        () -> {
          client.asked("upscale/one", "\"prompt\":\"x\"");
          Work work = worker.lease();
          return body(
              ("{\"job_id\":\"%s\",\"lease_token\":\"%s\",\"key\":\"%soutput-%s.png\","
                      + "\"upload_id\":\"%s\",\"size\":6000000,\"part_bytes\":5242880,\"numbers\":[1]}")
                  .formatted(
                      work.id(),
                      work.token(),
                      work.job().at("/output/key_prefix").asString(),
                      UUID.randomUUID(),
                      UUID.randomUUID()));
        });
    rows.put(
        "POST /api/worker/complete",
        () -> report("\"outputs\":[{\"text\":\"x\",\"media_type\":\"text/plain\"}]"));
    rows.put(
        "POST /api/worker/fail",
        () -> report("\"error_class\":\"permanent\",\"message\":\"m\",\"retry_after_seconds\":1"));
    rows.put("POST /api/worker/requeue", () -> report("\"reason\":\"spot\""));
    rows.put("POST /api/worker/canceled", () -> report(""));
    rows.put("GET /api/admin/workers", () -> new Good(Map.of("limit", "5", "cursor", "i-1"), ""));
    rows.put("GET /api/admin/workers/{worker}", () -> some(""));
    rows.put("GET /api/admin/queues/{workflow}", () -> new Good(Map.of("workflow", "upscale"), ""));
    rows.put("DELETE /api/admin/workers/{worker}", () -> some(""));
    for (String verb : new String[] {"approve", "drain", "resume", "revoke", "rotate"}) {
      rows.put("POST /api/admin/workers/{worker}/" + verb, () -> some(""));
    }
    rows.put(
        "PUT /api/admin/workers/{worker}/workflows",
        () -> some("{\"workflow_slugs\":[\"caption\",\"upscale\"]}"));
  }

  Map<String, Supplier<Good>> rows() {
    return rows;
  }

  Optional<Client> clientFor(String operation) {
    if (operation.endsWith("/api/worker/register")) {
      return Optional.of(client.with(FleetRig.SECRET));
    }
    if (operation.endsWith("/api/worker/poll")) {
      // Its polls must not take the jobs that others report on.
      return Optional.of(idle.client());
    }
    return operation.contains("/api/worker/") ? Optional.of(worker.client()) : Optional.empty();
  }

  /** The one whose jobs are reported on. */
  String workerId() {
    return workerId;
  }

  /** A job that the worker holds. */
  JsonNode held() {
    client.asked("upscale/one", "\"prompt\":\"x\"");
    return worker.lease().job();
  }

  private static Good body(String json) {
    return new Good(Map.of(), json);
  }

  /** On a job that the worker holds. */
  private Good report(String fields) {
    client.asked("upscale/one", "\"prompt\":\"x\"");
    Work work = worker.lease();
    return body(
        "{\"job_id\":\"%s\",\"lease_token\":\"%s\"%s}"
            .formatted(work.id(), work.token(), fields.isEmpty() ? "" : "," + fields));
  }

  /** On a worker that is new. */
  private Good some(String json) {
    String id = "some-" + UUID.randomUUID();
    FleetRig.worker(client, id, 1, "upscale");
    return new Good(Map.of("worker", id), json);
  }
}
