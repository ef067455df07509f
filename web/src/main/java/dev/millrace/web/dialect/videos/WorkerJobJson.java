package dev.millrace.web.dialect.videos;

import dev.millrace.web.api.request.PublicUrl;
import dev.millrace.web.http.Request;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A leased job as the workers of this dialect read it. */
public record WorkerJobJson(PublicUrl publicUrl) {

  static final String OUTPUTS = "/videos/outputs/";
  static final String WORKER = "X-Worker-Id";
  static final String LEASE = "X-Lease-Token";

  /**
   * A job of the worker protocol in this dialect's names.
   *
   * @param job as a poll of the protocol gives it
   * @param worker who got it
   */
  ObjectNode job(JsonNode job, String worker, Request request) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.set("dispatch_id", job.path("job_id"));
    json.set("job_id", job.path("job_id"));
    json.set("lease_token", job.path("lease_token"));
    json.set("lease_expires_at", job.path("lease_expires_at"));
    json.set("attempt", job.path("attempt"));
    json.put("provider", ProviderLabels.theirs(text(job.path("provider"))));
    json.set("effect_id", job.path("effect"));
    json.set("workflow_slug", job.path("workflow"));
    JsonNode primary = primary(job.path("assets"));
    json.set(
        "input_url", primary.path("url").isMissingNode() ? json.nullNode() : primary.path("url"));
    String base = publicUrl.of(request).toString();
    json.put(
        "output_url",
        (base.endsWith("/") ? base.substring(0, base.length() - 1) : base)
            + OUTPUTS
            + job.path("job_id").asString());
    json.putObject("output_headers")
        .put("Content-Type", "application/octet-stream")
        .put(WORKER, worker)
        .put(LEASE, job.path("lease_token").asString());
    json.set("input_payload", payload(job, primary));
    return json;
  }

  private static @Nullable String text(JsonNode node) {
    return node.isString() ? node.stringValue() : null;
  }

  /** The first file of the user's own: what comes with the catalogue has no id. */
  private static JsonNode primary(JsonNode assets) {
    return assets.values().stream()
        .filter(asset -> asset.path("file_id").isString())
        .findFirst()
        .orElseGet(() -> assets.path("none"));
  }

  private static ObjectNode payload(JsonNode job, JsonNode primary) {
    ObjectNode payload = JsonMapper.shared().createObjectNode();
    payload.set(
        "workflow",
        job.path("template").isMissingNode() ? payload.nullNode() : job.path("template"));
    payload.set(
        "output_node_id",
        job.path("output_node").isMissingNode() ? payload.nullNode() : job.path("output_node"));
    payload.set("properties", job.path("input"));
    ArrayNode assets = payload.putArray("assets");
    for (JsonNode asset : job.path("assets").values()) {
      ObjectNode json = assets.addObject();
      json.set("name", asset.path("name"));
      json.set("placeholder", asset.path("placeholder"));
      json.set("download_url", asset.path("url"));
      json.set("content_hash", asset.path("sha256"));
      json.set("mime_type", asset.path("media_type"));
      json.set("size", asset.path("size"));
      json.put("is_primary_input", asset.equals(primary));
    }
    return payload;
  }
}
