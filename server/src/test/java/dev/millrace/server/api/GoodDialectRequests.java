package dev.millrace.server.api;

import dev.millrace.server.api.GoodRequests.Good;
import dev.millrace.server.rig.Client;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** A good request for every operation of the surfaces of other systems. */
final class GoodDialectRequests {

  private final Map<String, Supplier<Good>> rows = new LinkedHashMap<>();
  private final Client client;
  private final GoodWorkerRequests fleet;
  private final Supplier<String> ended;
  private final Supplier<String> waiting;

  /**
   * Makes the rows.
   *
   * @param ended the id of a job that has ended
   * @param waiting the id of one that waits
   */
  GoodDialectRequests(
      Client client, GoodWorkerRequests fleet, Supplier<String> ended, Supplier<String> waiting) {
    this.client = client;
    this.fleet = fleet;
    this.ended = ended;
    this.waiting = waiting;
    generate();
    images();
    videos();
    videoWorkers();
    processes();
  }

  Map<String, Supplier<Good>> rows() {
    return rows;
  }

  private void generate() {
    String product = "{\"product_id\":\"p-1\",\"url\":\"http://shop.example.com/\"}";
    rows.put("POST /api/generate/{type}", () -> new Good(Map.of("type", "scrape"), product));
    rows.put("GET /api/generate/jobs/{id}", () -> of(ended.get(), ""));
    rows.put("POST /api/generate/jobs/{id}/cancel", () -> of(waiting.get(), ""));
  }

  private void images() {
    rows.put("POST /api/images/jobs", () -> body("{\"prompt\":\"a fox\",\"params\":{}}"));
    rows.put(
        "GET /api/images/jobs",
        () ->
            new Good(
                Map.of(
                    "effect", "sketch/draft",
                    "user", "default",
                    "limit", "5",
                    "cursor", UUID.randomUUID().toString()),
                ""));
    rows.put("GET /api/images/jobs/{id}", () -> of(ended.get(), ""));
    rows.put("GET /api/images/jobs/{id}/result", () -> of(ended.get(), ""));
  }

  private void videos() {
    rows.put("POST /api/videos/uploads", () -> body(upload()));
    rows.put("POST /api/videos", () -> body("{\"original_file_id\":\"%s\"}".formatted(brought())));
    rows.put(
        "GET /api/videos/{id}",
        () -> {
          String id = brought();
          client.post("/api/videos", "{\"original_file_id\":\"%s\"}".formatted(id)).expect(201);
          return of(id, "");
        });
    rows.put(
        "POST /api/ai-jobs",
        () -> body("{\"effect_id\":\"sketch/draft\",\"input_payload\":{\"prompt\":\"a fox\"}}"));
    rows.put("GET /api/ai-jobs/{id}", () -> of(ended.get(), ""));
  }

  private void processes() {
    rows.put("GET /api/processes", () -> new Good(Map.of("workspace_id", "w-1"), ""));
    rows.put("GET /api/processes/{id}", () -> of(ended.get(), ""));
    rows.put(
        "GET /api/processes/{id}/events",
        () -> new Good(Map.of("id", ended.get(), "after_id", "0"), ""));
    rows.put("GET /api/processes/{id}/stream", () -> of(ended.get(), ""));
    rows.put("POST /api/processes/{id}/retry", () -> of(failed(), ""));
    rows.put("POST /api/processes/{id}/cancel", () -> of(waiting.get(), ""));
  }

  private String failed() {
    String id = client.submitted("\"fail\":\"permanent\"");
    client.awaitJob(id, "failed");
    return id;
  }

  private static String upload() {
    return "{\"mime_type\":\"text/plain\",\"size\":3,\"original_filename\":\"a.txt\"}";
  }

  private String brought() {
    JsonNode opened = client.post("/api/videos/uploads", upload()).expect(201).json();
    client
        .send(
            "PUT",
            opened.path("upload_url").asString(),
            BodyPublishers.ofString("abc"),
            "Content-Type",
            "text/plain")
        .expect(200);
    return opened.at("/file/id").asString();
  }

  private void videoWorkers() {
    String path = "POST /videos/api/worker/";
    rows.put(
        path + "register",
        () ->
            body(
                "{\"worker_id\":\"%s\",\"workflow_slugs\":[\"upscale\"],\"max_concurrency\":2,\"providers\":[\"self_hosted\"]}"
                    .formatted(GoodRequests.FRESH)));
    rows.put(
        path + "poll",
        () ->
            body(
                "{\"current_load\":0,\"max_concurrency\":1,\"providers\":[\"cloud\"],\"wait\":0}"));
    rows.put(path + "heartbeat", () -> report(",\"progress\":1,\"step\":\"s\""));
    rows.put(path + "complete", this::delivered);
    rows.put(path + "fail", () -> report(",\"error_message\":\"m\""));
    rows.put(path + "requeue", () -> report(",\"reason\":\"spot\""));
  }

  private Good delivered() {
    JsonNode held = fleet.held();
    client
        .send(
            "PUT",
            "/videos/outputs/" + held.path("job_id").asString(),
            BodyPublishers.ofString("abc"),
            "X-Worker-Id",
            fleet.workerId(),
            "X-Lease-Token",
            held.path("lease_token").asString())
        .expect(200);
    return report(held, "");
  }

  private Good report(String more) {
    return report(fleet.held(), more);
  }

  private static Good report(JsonNode held, String more) {
    return body(
        "{\"dispatch_id\":%s,\"lease_token\":%s%s}"
            .formatted(held.path("job_id"), held.path("lease_token"), more));
  }

  private static Good body(String json) {
    return new Good(Map.of(), json);
  }

  private static Good of(String id, String json) {
    return new Good(Map.of("id", id), json);
  }
}
